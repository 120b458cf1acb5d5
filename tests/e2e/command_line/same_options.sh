# What several commands have in common has one name, one group of the help and one text: who knows one command knows
# these options of all.
. "$(dirname "$0")/../prelude.sh"

"$pgo" --help | sed -n '/^Subcommands:/,/^$/s/^  \([a-z]*\) .*/\1/p' > commands
[ "$(wc -l < commands)" -gt 20 ] || { cat commands; fail "these are not all commands"; }
while read -r command; do "$pgo" "$command" --help > "$command.help"; done < commands
python3 - *.help <<'END'
import re
import sys

# Options whose text says what the command does with them: a group is one thing all the same.
OWN_TEXT = {"--output", "--binary", "--profile", "--top", "--timeout", "--lock", "--before", "--cumulative", "--event",
            "--sample-type", "--build-id", "--path-template", "--config", "--label", "--service", "--sign", "--verify",
            "--compiler", "--debug-file", "--by", "--dry-run", "--json", "--pid", "--qemu", "--traffic", "--to", "--min-match",
            "--keep"}
# The same word for another thing.
OWN_GROUP = {"--label", "--service", "--sample-type", "--build-id", "--profile", "--qemu", "--to", "--pid", "--lock", "--json",
             "--traffic", "--min-match", "--path-template", "--compiler", "--keep"}
# Their options are all in groups with a name.
GROUPED = {"push.help", "pull.help", "pin.help", "upload.help"}
texts, groups = {}, {}
for path in sys.argv[1:]:
    if path == "init.help":  # its options are words of the pgo.toml that it writes
        continue
    group, name = "", ""
    for line in open(path, encoding="utf-8"):
        line = line.rstrip("\n")
        if heading := re.fullmatch(r"([A-Z\[].*):", line):
            group, name = heading[1], ""
        elif option := re.match(r"  (?:-[a-zA-Z],)?(--[a-z0-9-]+)\S*(?: [^ ]+)*(?:  +(.*))?$", line):
            name = option[1]
            groups.setdefault(name, {}).setdefault(group, []).append(path)
            texts.setdefault(name, {}).setdefault(path, []).append(option[2] or "")
        elif name and line.startswith(" " * 20):
            texts[name][path].append(line.strip())
        else:
            name = ""
faults = [f"{path}: {name} has no group" for name, found in sorted(groups.items()) for path in found.get("Options", [])
          if path in GROUPED and name not in ("--help", "--jobs")]
for name, found in sorted(groups.items()):
    if len(found) > 1 and name not in OWN_GROUP:
        faults.append(f"{name} is in several groups: {found}")
for name, found in sorted(texts.items()):
    said = {" ".join(lines).strip() for lines in found.values()}
    if len(said) > 1 and name not in OWN_TEXT:
        faults.append(f"{name} has several texts: {sorted(said)}")
    if any("Option Group" in group for group in groups[name]):
        faults.append(f"{name} is in a group of the parser: {list(groups[name])}")
if faults:
    sys.exit("\n".join(faults))
END
