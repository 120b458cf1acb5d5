# s3s-fs, whose answers look different: no ETags in lists, errors without messages.
source "$(dirname "$0")/../prelude.sh"
source "$here/servers_prelude.sh"
source "$here/s3_prelude.sh"
start_s3s
check_strange_keys
check_multipart
check_anonymous
check_refusals NotSignedUp
