# script.sh: a small shell script, functions, loops, expansions, a few children.
total=0
square() { echo $(($1 * $1)); }
for i in 1 2 3 4 5 6 7 8 9 10; do
    total=$((total + $(square "$i")))
done
name=/usr/share/doc/example.tar.gz
base=${name##*/}
printf '%s %s %s\n' "$total" "${base%%.*}" "$(printf 'b\na\nc\n' | sort | tr '\n' ' ')"
while read -r word; do case $word in a*) echo "$word" ;; esac; done <<END
apple
banana
avocado
END
