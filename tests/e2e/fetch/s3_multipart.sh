# Large objects are written in parts that another client reads.
source "$(dirname "$0")/../prelude.sh"
source "$here/servers_prelude.sh"
source "$here/s3_prelude.sh"
start_moto
check_multipart
check_put_new
stop_servers
