# The bucket in front of the host name, as AWS has it: the name *.localhost leads to this machine.
source "$(dirname "$0")/../prelude.sh"
source "$here/servers_prelude.sh"
need s3_objects
start_moto
s3_make profiles
echo body > file
s3_put profiles/queryd/a.pb file

export AWS_ENDPOINT_URL=http://localhost:${AWS_ENDPOINT_URL##*:} AWS_S3_ADDRESSING_STYLE=virtual
s3_objects get s3://profiles/queryd got
cmp file got/a.pb
s3_objects put s3://profiles queryd/b.pb file
s3_objects list s3://profiles/queryd > listed
[ "$(cut -d ' ' -f 1 listed | tr '\n' ' ')" = "a.pb b.pb " ]
! grep 'GET /profiles?' moto.log || fail "the bucket is in the path"
grep -q 'GET /queryd/a.pb ' moto.log

# By the configuration of the AWS tools.
unset AWS_S3_ADDRESSING_STYLE
printf '[default]\ns3 =\n  addressing_style = virtual\n' > "$AWS_CONFIG_FILE"
s3_objects get s3://profiles/queryd got
[ "$(grep -c 'GET /queryd/a.pb ' moto.log)" = 2 ]
stop_servers
