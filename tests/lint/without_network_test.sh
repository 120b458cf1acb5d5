#!/bin/bash
# The program is built with -DPRODPGO_NETWORK=OFF without libcurl, pugixml and protobuf: configures so, and compiles what then
# differs. Nothing else reaches the network, so the rest is what every build compiles.
# Usage: without_network_test.sh
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
  echo "FAILED: $*" >&2
  exit 1
}

mapfile -t differing < <(git grep -l 'ifdef PRODPGO_NETWORK' -- 'pgo/*.cc')
[ ${#differing[@]} -gt 0 ] || fail "nothing asks for PRODPGO_NETWORK"
for file in $(git grep -lE '#include "pgo/(net|stores|store_access|remote_registry)/' -- '*.cc' '*.h' ':!pgo/net' ':!pgo/stores' ':!pgo/store_access' ':!pgo/remote_registry' ':!tests'); do
  awk '/^#ifdef PRODPGO_NETWORK/ { inside = 1 } /^#(else|endif)/ { inside = 0 }
       /^#include "pgo\/(net|stores|store_access|remote_registry)\// && !inside { exit 1 }' "$file" ||
    fail "$file includes what needs the network outside of #ifdef PRODPGO_NETWORK"
done

# pkg-config that knows none of them; protobuf is found by CMake itself.
mkdir "$work/bin"
printf '#!/bin/sh\ncase "$*" in *libcurl*|*pugixml*|*libssl*) exit 1 ;; esac\nexec %s "$@"\n' "$(command -v pkg-config)" \
  > "$work/bin/pkg-config"
chmod +x "$work/bin/pkg-config"
PATH=$work/bin:$PATH cmake -G Ninja -S . -B "$work/build" -DPRODPGO_NETWORK=OFF -DPRODPGO_TESTS=OFF -DCMAKE_DISABLE_FIND_PACKAGE_Protobuf=ON \
  -DPRODPGO_UNITY_BUILD=OFF -DPRODPGO_PRECOMPILED_HEADERS=OFF -DCMAKE_BUILD_TYPE=Debug -DPRODPGO_WERROR=ON \
  > "$work/said" 2>&1 || fail "$(cat "$work/said")"
objects=("${differing[@]/%/.o}")
cmake --build "$work/build" -- "${objects[@]/#/CMakeFiles/pgo.dir/}" > "$work/said" 2>&1 || fail "$(cat "$work/said")"
for object in "${objects[@]}"; do
  used=$(nm -uC "$work/build/CMakeFiles/pgo.dir/$object" | grep -E 'pgo::(net|live|s3|prometheus|parca|pyroscope|profefe|store_access)::' || :)
  [ -z "$used" ] || fail "$object uses without the network: $used"
done
