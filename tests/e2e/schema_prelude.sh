# For tests of pgo verify's JSON. validate FILE: fails unless it is as docs/reference/verify.schema.json says.
# A python3 that is not the distribution's does not see its packages.
for python in python3 /usr/bin/python3 none; do
  "$python" -c 'import jsonschema' 2> /dev/null && break
done
[ $python != none ] || skip "python3-jsonschema is not installed"
schema=$here/../../docs/reference/verify.schema.json

validate() {
  "$python" - "$schema" "$1" <<'END'
import json, sys
import jsonschema
jsonschema.validate(json.load(open(sys.argv[2])), json.load(open(sys.argv[1])))
END
}
