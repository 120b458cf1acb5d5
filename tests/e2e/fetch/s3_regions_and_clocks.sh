# A bucket in another region is found there, by one more request; a clock that is wrong is an error that says so. The
# services of AWS are played by a stand-in.
source "$(dirname "$0")/../prelude.sh"
source "$here/servers_prelude.sh"
source "$here/s3_prelude.sh"
export AWS_SESSION_TOKEN='TK0/+=='
with_keys AK0 SK0

start_aws
s3_objects get s3://elsewhere got
[ "$(ls got | wc -l)" = 10 ]
[ "$(grep -c ' 301 ' aws.log)" = 1 ]
stop_servers

for seconds in 2400 -86400; do
  start_aws --ahead $seconds
  lead='40 minutes behind'
  [ $seconds -gt 0 ] || lead='1 440 minutes ahead of'
  if s3_objects list s3://profiles 2> err; then fail "accepted"; fi
  sed -i 's/ 1 439 minutes / 1 440 minutes /; s/ 39 minutes / 40 minutes /' err # the second of a request
  echo "ERROR: s3://profiles: the clock of this machine is $lead the store's (403 RequestTimeTooSkewed); set the \
clock; a request counts for 15 minutes" | diff - err
  stop_servers
done
