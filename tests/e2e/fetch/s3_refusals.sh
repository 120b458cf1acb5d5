# Missing and wrong keys, a missing bucket and a store that is gone are errors that name the cause.
source "$(dirname "$0")/../prelude.sh"
source "$here/servers_prelude.sh"
source "$here/s3_prelude.sh"

refused "there are no keys for S3 in the environment or in ~/.aws; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or \
AWS_PROFILE, or AWS_NO_SIGN_REQUEST=true for a public bucket" s3_objects list s3://profiles

start_moto
check_refusals InvalidAccessKeyId
