# Unpacks the upstream source of a Debian package into a directory of the working directory.
#
#   fetch_source.sh PACKAGE DIRECTORY
#
# Fetched through the sources that this machine already trusts, read as deb-src, with lists and cache in
# ./apt: nothing of the system is changed.
set -euo pipefail
package=$1
directory=$2

# In: the machine's own lists of packages. Out: ./apt/sources, the same for source packages.
write_source_lists() {
  local list
  mkdir -p apt/sources apt/lists/partial apt/cache/archives/partial
  for list in /etc/apt/sources.list.d/*.sources; do
    [ -e "$list" ] || continue
    grep -q 'debian.org' "$list" || continue
    sed 's/^Types:.*/Types: deb-src/' "$list" > "apt/sources/$(basename "$list")"
  done
  for list in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
    [ -e "$list" ] || continue
    sed -n '/debian.org/s/^deb /deb-src /p' "$list" > "apt/sources/$(basename "$list" .list).list"
  done
}

apt="apt-get -qq -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts=$PWD/apt/sources
  -o Dir::State::lists=$PWD/apt/lists -o Dir::Cache=$PWD/apt/cache"
write_source_lists
$apt update && $apt source --download-only "$package" 2> apt/log || {
  echo "fetch_source.sh: no source package $package from the sources of this machine" >&2
  exit 2
}
mkdir -p "$directory"
archives=("$package"_*.orig.tar.?z*)  # not their signatures, .asc
tar xf "${archives[0]}" --strip-components=1 -C "$directory"
