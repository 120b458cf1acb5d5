# Keys of any characters: listed, read and written as curl sees them.
source "$(dirname "$0")/../prelude.sh"
source "$here/servers_prelude.sh"
source "$here/s3_prelude.sh"
start_moto
check_strange_keys
stop_servers
