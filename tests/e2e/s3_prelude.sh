# Sourced by tests of stores that are compatible with S3, after prelude.sh and servers_prelude.sh: what holds of each.
# A function is called when its store has started and has no buckets; the variables of AWS reach it.

need s3_objects

# refused TEXT COMMAND...: fails with this error.
refused() {
  if "${@:2}" > out 2> err; then fail "accepted: ${*:2}"; fi
  printf 'ERROR: %s\n' "$1" | diff - err
}

# Wrong keys and missing buckets are errors that name the cause. UNKNOWN: what the store calls a key that it does not
# know. Stops the servers.
check_refusals() {
  local unknown=$1
  s3_make profiles
  AWS_SECRET_ACCESS_KEY=wrong refused "s3://profiles: the secret key is wrong (403 SignatureDoesNotMatch); check \
the keys (from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY)" s3_objects list s3://profiles
  AWS_ACCESS_KEY_ID=AKUNKNOWN refused "s3://profiles: the store does not know the access key (403 $unknown); check the keys \
(from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY)" s3_objects list s3://profiles
  refused "s3://missing: there is no bucket 'missing' at $AWS_ENDPOINT_URL (404 NoSuchBucket); check its name, and \
AWS_ENDPOINT_URL" s3_objects list s3://missing
  stop_servers
  refused "s3://profiles: cannot connect to 127.0.0.1 port ${AWS_ENDPOINT_URL##*:}: Connection refused (tried 5 times); \
check that the service runs, and its host and port" s3_objects list s3://profiles
}

check_anonymous() {
  AWS_NO_SIGN_REQUEST=true refused "s3://profiles: nobody may list it without keys (403 AccessDenied); unset \
AWS_NO_SIGN_REQUEST, and set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE" s3_objects list s3://profiles
}

# Keys of any characters: listed, read and written as curl, which signs on its own, sees them.
check_strange_keys() {
  local key='p/a b+c=%d/é.pb' encoded=p/a%20b%2Bc%3D%25d/%C3%A9.pb
  s3_make keys
  echo "by curl" > file
  s3_put "keys/$encoded" file
  s3_objects list s3://keys > listed
  [ "$(sed 's/ 8 .*//' listed)" = "$key" ] || fail "listed: $(cat listed)"
  s3_objects get s3://keys got
  cmp file "got/$key"
  rm -r got

  echo "by pgo: another length" > file
  s3_objects put s3://keys "$key" file
  signed "keys/$encoded" -H "x-amz-content-sha256: $(sha256sum < /dev/null | cut -d ' ' -f 1)" > by_curl
  cmp file by_curl
  # All characters of one byte that a file name may have, but what XML cannot.
  s3_objects put s3://keys "q/!\"#\$&'()*,:;<>?@[\\]^\`{|}~ x" file
  s3_objects get s3://keys/q got
  cmp file "got/!\"#\$&'()*,:;<>?@[\\]^\`{|}~ x"
  # A prefix that is one key.
  s3_objects get "s3://keys/$key" got
  cmp file got/é.pb
  rm -r got
}

# Large objects are written in parts: boto3 reads the same bytes, and a put that fails leaves no object.
check_multipart() {
  s3_make large
  head -c 21000000 /dev/zero | tr '\0' x > large
  echo end >> large
  s3_objects put s3://large/queryd large.pb large
  AWS_SECRET_ACCESS_KEY=wrong s3_objects put s3://large/queryd other.pb large 2> err && fail "accepted"
  grep -qF 'the secret key is wrong' err
  s3_python large << 'END'
import sys
local = open(sys.argv[1], "rb").read()
answer = s3.get_object(Bucket="large", Key="queryd/large.pb")
assert answer["Body"].read() == local
assert answer["ETag"].endswith('-3"'), answer["ETag"]
assert [o["Key"] for o in s3.list_objects_v2(Bucket="large")["Contents"]] == ["queryd/large.pb"]
END
  s3_objects get s3://large/queryd got
  cmp large got/large.pb
  rm -r got
}

# An object that may not be replaced (If-None-Match): written at once, and in parts.
check_put_new() {
  s3_make once
  head -c 6000000 /dev/zero > one
  (cat one && echo) > another
  for part_size in 100000000 5242880; do
    [ "$(s3_objects put_new s3://once "$part_size.pb" one "$part_size")" = new ] || fail "is not written"
    [ "$(s3_objects put_new s3://once "$part_size.pb" another "$part_size")" = taken ] || fail "is replaced"
    s3_objects get "s3://once/$part_size.pb" got
    cmp one "got/$part_size.pb"
    rm -r got
  done
}
