#!/bin/sh
# after_link.sh STEPS COMMAND...: runs COMMAND, a link, and then what ProdPGO does with what it made. The linker launcher
# of targets whose directory is done, in which CMake takes no more steps after the link (ProdPGOSteps.cmake).
#
# STEPS is a folder with one file for each configuration: a line with the path of what is linked in this configuration,
# then commands, one argument a line, each followed by a line with a semicolon. Empty lines do not count.
steps=$1
shift
"$@" || exit

output=
previous=
for word; do
  [ "$previous" != -o ] || output=$word
  previous=$word
done

for file in "$steps"/*.steps; do
  {
    read -r linked
    [ "$output" -ef "$linked" ] || continue
    set --
    while IFS= read -r argument; do
      if [ "$argument" = ";" ]; then
        [ $# = 0 ] || "$@" < /dev/null || exit
        set --
      elif [ -n "$argument" ]; then
        set -- "$@" "$argument"
      fi
    done
    exit 0
  } < "$file"
done
echo "ProdPGO: error: no file in $steps is for $output" >&2
exit 1
