# count.awk: sums by host, counts by status and folder, over the lines of a web server's log.
{ bytes[$1] += $6; status[$5]++; split($4, part, "/"); folder[part[2]]++; if ($4 ~ /page[0-9]*7\.html$/) sevens++ }
END {
    for (i = 0; i < 10; i++) for (j = 0; j < 250; j++) { h = "10.0." i "." j; if (h in bytes) print h, bytes[h] }
    print status[200], status[304], status[404], status[500], folder["dir7"], sevens
}
