# Puts the releases that week_two.py compares (releases.py) into DIR: SQLite's and RE2's, as the npm packages
# better-sqlite3 and re2 have them.
#
#   fetch_releases.sh DIR
#
# speedtest1.c is that of DIR/sqlite_source, which make_sqlite.sh fetches.
set -euo pipefail
cd "$1"

# new_directory: an empty directory `new`. A release gets its name when it is complete, so a stopped run is no release.
new_directory() {
  rm -rf new
  mkdir new
}

# fetch_sqlite PACKAGE_VERSION VERSION: once.
fetch_sqlite() {
  if [ -d "sqlite_$2" ]; then return; fi
  npm pack --silent "better-sqlite3@$1" > /dev/null
  new_directory
  tar xzf "better-sqlite3-$1.tgz" -C new --strip-components=3 package/deps/sqlite3
  cp sqlite_source/test/speedtest1.c new
  mv new "sqlite_$2"
}

# fetch_re2 PACKAGE_VERSION: once.
fetch_re2() {
  if [ -d "re2_of_$1" ]; then return; fi
  npm pack --silent "re2@$1" > /dev/null
  new_directory
  tar xzf "re2-$1.tgz" -C new --strip-components=2 package/vendor
  mv new "re2_of_$1"
}

fetch_sqlite 11.9.1 3.49.1
fetch_sqlite 11.10.0 3.49.2
fetch_sqlite 12.2.0 3.50.2
fetch_re2 1.18.0
fetch_re2 1.19.2
