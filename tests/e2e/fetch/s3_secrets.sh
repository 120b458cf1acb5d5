# Neither keys nor tokens are in what pgo prints and writes: messages, JSON, bundles, the cache.
source "$(dirname "$0")/../prelude.sh"
source "$here/servers_prelude.sh"
start_aws
export PRODPGO_CACHE=$work/cache AWS_SESSION_TOKEN='TK0/+==' AWS_CONTAINER_AUTHORIZATION_TOKEN=container-token
with_keys AK0 SK0

# The stand-in's objects are no profiles: each is an error that is printed.
"$pgo" fetch s3://profiles -o bundle --json --report report.json > out1 2> err1 && fail "it accepted what is no profile"
AWS_SESSION_TOKEN=TK9secret "$pgo" fetch s3://profiles -o bundle --json > out2 2> err2 && fail "accepted"
AWS_SECRET_ACCESS_KEY=SK9secret "$pgo" fetch s3://profiles -o bundle > out3 2> err3 && fail "accepted"
unset AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN
AWS_CONTAINER_CREDENTIALS_FULL_URI=$AWS_ENDPOINT_URL/container "$pgo" fetch s3://profiles -o bundle > out4 2> err4 &&
  fail "accepted"
AWS_CONTAINER_CREDENTIALS_FULL_URI=$AWS_ENDPOINT_URL/container AWS_CONTAINER_AUTHORIZATION_TOKEN=CTsecret \
  "$pgo" fetch s3://profiles -o bundle > out5 2> err5 && fail "accepted"
printf '[default]\naws_access_key_id = AK0\naws_secret_access_key SK9secret\n' > "$AWS_SHARED_CREDENTIALS_FILE"
"$pgo" fetch s3://profiles -o bundle > out6 2> err6 && fail "accepted"
grep -qF 'line 3: expected KEY = VALUE' err6
AWS_ENDPOINT_URL=http://user:PWsecret@127.0.0.1 "$pgo" fetch s3://profiles -o bundle > out7 2> err7 && fail "accepted"
stop_servers

for secret in SK0 TK0 SK9 TK9 CTsecret PWsecret container-token SK1 TK1 AWS4-HMAC; do
  if grep -rlF -e "$secret" out? err? cache bundle report.json 2> /dev/null; then fail "$secret was written"; fi
done
true
