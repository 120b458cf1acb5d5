# Sourced by tests that break templates, after a scenario: `finds_faults FILE PATTERN SCENARIO...`, which breaks the shell
# of ci-templates/FILE in each line that matches PATTERN (ci_templates/mutants.py), one at a time. The command SCENARIO
# must fail each time. Lines that match $unnoticed are left out.
unnoticed='^$'

finds_faults() {
  local file=$1 pattern=$2 number broken_line original=$templates found=0
  rm -rf mutants copy
  "$python" "$here/ci_templates/mutants.py" "$original/$file" mutants > mutants.txt
  cp -r "$original" copy
  templates=$work/copy
  while IFS=: read -r -u 3 number broken_line; do
    grep -qE -- "$pattern" <<< "$broken_line" && ! grep -qE -- "$unnoticed" <<< "$broken_line" || continue
    found=$((found + 1))
    cat "mutants/$number" > "copy/$file"
    if ("${@:3}") > mutant.log 2>&1 < /dev/null; then
      fail "$file: nobody notices$broken_line"
    fi
    grep -q '^FAILED' mutant.log || { tail mutant.log; fail "$file: the scenario did not fail by a check"; }
  done 3< mutants.txt
  [ $found -gt 0 ] || fail "$file: no line matches $pattern"
  echo "$file: $found broken lines, each is noticed"
  templates=$original
}
