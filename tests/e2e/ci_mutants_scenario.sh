# Sourced by tests that break templates, after ci_refresh_scenario.sh: `finds_faults FILE PATTERN COMMAND...`, which breaks
# the shell of ci-templates/FILE in each line that matches PATTERN (ci_templates/mutants.py), one at a time. The scenario
# of the weekly refresh must fail each time. COMMAND STATUS runs one refresh.

finds_faults() {
  local file=$1 pattern=$2 number broken_line original=$templates found=0
  rm -rf mutants copy
  "$python" "$here/ci_templates/mutants.py" "$original/$file" mutants > mutants.txt
  cp -r "$original" copy
  templates=$work/copy
  while IFS=: read -r number broken_line; do
    grep -qE -- "$pattern" <<< "$broken_line" || continue
    found=$((found + 1))
    cat "mutants/$number" > "copy/$file"
    if (weekly_refresh "${@:3}") > mutant.log 2>&1; then
      fail "$file: nobody notices$broken_line"
    fi
    grep -q '^FAILED' mutant.log || { tail mutant.log; fail "$file: the scenario did not fail by a check"; }
  done < mutants.txt
  [ $found -gt 0 ] || fail "$file: no line matches $pattern"
  templates=$original
}
