# MinIO, which checks signatures, hashes and clocks strictly.
source "$(dirname "$0")/../prelude.sh"
source "$here/servers_prelude.sh"
source "$here/s3_prelude.sh"
start_minio
check_strange_keys
check_multipart
check_put_new
check_anonymous
check_refusals InvalidAccessKeyId
