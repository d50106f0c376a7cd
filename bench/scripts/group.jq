# group.jq: select, reshape and group the records of data.json.
[.[] | select(.size > 30) | {id, tag: .tags[0], a: .sub.a}] | group_by(.tag)
| map({tag: .[0].tag, n: length, sum: (map(.a) | add), even: (map(select(.id % 2 == 0)) | length)})
