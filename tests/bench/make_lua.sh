# Fetches Lua's source into DIR/lua_source, once.
#
#   make_lua.sh DIR
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
cd "$1"
[ -d lua_source ] || bash "$here/fetch_source.sh" lua5.4 lua_source
