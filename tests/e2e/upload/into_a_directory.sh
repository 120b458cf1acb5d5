# pgo upload writes files into a directory by their labels, from which pgo fetch takes them, and removes old ones.
. "$(dirname "$0")/../prelude.sh"
need python3
export PRODPGO_CACHE=$work/cache PYTHONDONTWRITEBYTECODE=1
made() { python3 "$here/stand_ins/made_pprof.py" "$@"; }
expect() { # WHAT EXPECTED ACTUAL
  [ "$2" = "$3" ] || fail "$1: expected '$2', got '$3'"
}
refuses() { # MESSAGE ARGUMENT...
  local status=0
  "$pgo" upload "${@:2}" > text 2> log || status=$?
  expect "exit code of upload ${*:2}" 2 $status
  expect "refusal" "pgo: error: $1" "$(cat log)"
}

# 2026-11-26T13:20:00Z
made --time 1795699200000000000 a.pb
gzip -kn a.pb
id=$(sha256sum a.pb.gz | cut -c 1-12)
"$pgo" upload a.pb.gz store --label service=queryd --label version=1.42 --label host=web-1 > text 2> log
expect "place" "a.pb.gz  store/service=queryd/version=1.42/hour=2026-11-26T13/host=web-1,$id.pb.gz" "$(cat text)"
expect "message" "pgo: store (a new directory): uploaded 1 profile" "$(cat log)"
cmp a.pb.gz "store/service=queryd/version=1.42/hour=2026-11-26T13/host=web-1,$id.pb.gz"
# Again: the same file; without labels, another.
"$pgo" upload a.pb.gz dir:store --label service=queryd --label version=1.42 --label host=web-1 > text 2> log
expect "message" "pgo: dir:store: uploaded 1 profile" "$(cat log)"
expect "files" 1 "$(find store -type f | wc -l)"
"$pgo" upload a.pb bare > text 2> log
expect "messages without labels" "pgo: warning: 1 profile has no label service: pgo fetch --service will not find it; upload with --label \
service=NAME
pgo: bare (a new directory): uploaded 1 profile" "$(cat log)"
expect "place without labels" "bare/hour=2026-11-26T13/$(sha256sum a.pb | cut -c 1-12).pb" "$(cut -d ' ' -f 3 text)"

# Back by fetch: all labels, as they were given.
"$pgo" upload a.pb other --label service=queryd --label host=web-1 --label 'zone=eu/1, a=b' > text 2> log
for source in store other; do
  "$pgo" fetch $source --service queryd --label host=web-1 -o bundle --report report.json > text 2> log
  python3 -c '
import json
member, = json.load(open("bundle/bundle.json"))["members"]
print(*[member["labels"].get(key) for key in ("service", "version", "host", "zone")], sep="|")' > labels
  wanted='queryd|1.42|web-1|None'
  [ $source = store ] || wanted='queryd|None|web-1|eu/1, a=b'
  expect "labels of $source" "$wanted" "$(cat labels)"
  rm -r bundle
done
"$pgo" fetch store --path-template 'version={version}/hour={hour}/host={host},{id}.pb.gz' -o bundle --report report.json > text 2> log
expect "labels by a template" "1.42 web-1 2026-11-26T13" "$(python3 -c '
import json
labels = json.load(open("bundle/bundle.json"))["members"][0]["labels"]
print(*[labels[key] for key in ("version", "host", "hour")])')"

# Old ones are removed, and nothing else.
now=$(date +%s)000000000
made --time "$now" --count 7 new.pb
echo mine > store/notes.txt
mkdir -p store/2020-01-01T00
echo mine > store/2020-01-01T00/notes.txt
for days in 1 29 31 90; do
  made --time $((now - days * 86400000000000)) --count $days "old-$days.pb"
  "$pgo" upload "old-$days.pb" store --label service=queryd --label host=d$days > text 2> log
done
"$pgo" upload new.pb store --label service=queryd --label host=d0 --keep 30d --json > report.json 2> log
# That of November 2026 is as old as the test is late.
removed=$(python3 -c 'import json; print(json.load(open("report.json"))["removed"])')
for days in 1 29; do [ -n "$(find store -name "host=d$days,*")" ] || fail "the profile of $days days ago is gone"; done
for days in 31 90; do [ -z "$(find store -name "host=d$days,*")" ] || fail "the profile of $days days ago is there"; done
[ "$removed" -ge 2 ] && grep -q "and removed $removed old ones" log || fail "$removed removed: $(cat log)"
[ -f store/notes.txt ] && [ -f store/2020-01-01T00/notes.txt ] || fail "a file of others is gone"
[ -z "$(find store -type d -empty)" ] || fail "empty directories are left"

# Folded stacks tell no time; a recording its host.
echo 'main;work 7' > a.folded
touch -d 2026-11-20T10:30:00Z a.folded
"$pgo" upload a.folded store --label host=web-2 > text 2> log
expect "place by the file's time" "a.folded  store/hour=2026-11-20T10/host=web-2,$(sha256sum a.folded | cut -c 1-12).folded" "$(cat text)"
expect "warning" "pgo: warning: a.folded: does not contain its recording time; the time of its last change is used, \
2026-11-20T10:30:00Z" "$(grep a.folded log)"

cp "$pgo" server
refuses "server: is an ELF file, not a profile of samples; upload a recording (perf.data), a stack profile or an address profile" \
  server store
refuses "server: is an ELF file, not a profile of samples (1 file of 2 uploaded before); upload a recording (perf.data), a stack \
profile or an address profile" a.pb server store
refuses "a.pb: its labels make a name of 265 bytes, and file systems take 255; leave out labels, or shorten them" \
  a.pb store --label "note=$(printf '%0244d' 0)"
refuses "--label host: '=' expected, as in zone=eu" a.pb store --label host
refuses "the label host is given twice" a.pb store --label host=a --label host=b
refuses "--keep soon: expected a duration such as 30d or 12h" a.pb store --keep soon
refuses "--keep is for directories; use the lifecycle rules of the bucket, or the retention of the store" \
  a.pb s3://bucket/prefix --keep 30d
refuses "give the files, then the destination" store
refuses "ftp://host/x: is not a destination for profiles; name a path, dir:PATH, s3://BUCKET/PREFIX, parca+http://HOST:PORT, \
pyroscope+http://HOST:PORT, or profefe+http://HOST:PORT" a.pb ftp://host/x
