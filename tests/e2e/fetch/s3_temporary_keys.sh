# Keys of an instance (IMDSv2), of a web identity and of a container, and session tokens: each reaches the store, and
# keys that expire meanwhile are replaced once. The services of AWS are played by a stand-in.
source "$(dirname "$0")/../prelude.sh"
source "$here/servers_prelude.sh"
source "$here/s3_prelude.sh"
start_aws

# fetches KEY: all objects arrive, signed with this key.
fetches() {
  rm -rf got
  s3_objects get s3://profiles got
  [ "$(cat got/*)" = "$(printf 'contents of %s.pb' a b c d e f g h i j)" ] || fail "got: $(cat got/*)"
  [ "$(tail -n 10 aws.log | cut -d ' ' -f 1,3,4 | sort -u)" = "GET 200 $1" ] || fail "$(tail -n 10 aws.log)"
}

AWS_ACCESS_KEY_ID=AK0 AWS_SECRET_ACCESS_KEY=SK0 AWS_SESSION_TOKEN='TK0/+==' fetches AK0
AWS_ACCESS_KEY_ID=AK0 AWS_SECRET_ACCESS_KEY=SK0 refused "s3://profiles: the session token is not valid (400 \
InvalidToken); check the keys (from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY)" s3_objects list s3://profiles

export AWS_EC2_METADATA_SERVICE_ENDPOINT=$AWS_ENDPOINT_URL
AWS_EC2_METADATA_DISABLED='' fetches AK1

echo identity-token > token
AWS_WEB_IDENTITY_TOKEN_FILE=$work/token AWS_ROLE_ARN=arn:aws:iam::1:role/reader fetches AK2
echo stolen-token > token
AWS_WEB_IDENTITY_TOKEN_FILE=$work/token AWS_ROLE_ARN=arn:aws:iam::1:role/reader refused "STS ($AWS_ENDPOINT_URL/): \
answered 400 InvalidIdentityToken for the web identity in $work/token; check AWS_ROLE_ARN, and that the role trusts \
this identity" s3_objects list s3://profiles

export AWS_CONTAINER_CREDENTIALS_FULL_URI=$AWS_ENDPOINT_URL/container
AWS_CONTAINER_AUTHORIZATION_TOKEN=container-token fetches AK3

# Expired: fixed keys are an error. (Those of a service are replaced while a store is read: see unit tests.)
curl -s -m 10 -X POST "$AWS_ENDPOINT_URL/expire"
AWS_ACCESS_KEY_ID=AK0 AWS_SECRET_ACCESS_KEY=SK0 AWS_SESSION_TOKEN='TK0/+==' refused "s3://profiles: the session token \
has expired (400 ExpiredToken); get new keys, for example by \`aws sso login\`; the old ones are from \
AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY" s3_objects list s3://profiles
stop_servers
grep -r -e SK0 -e TK0 -e SK1 -e TK1 -e identity-token -e container-token out err got && fail "a secret was written"
true
