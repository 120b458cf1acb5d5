#include "pgo/cli/arguments/units_argument.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "pgo/base/bytes.h"
#include "pgo/base/mapped_file.h"

namespace pgo {
namespace {

constexpr uint64_t kMaxUnitsFile = uint64_t{256} << 20;

const char* line_form(UnitsOf of) {
  return of == UnitsOf::kMembers ? "'HOST NUMBER', a host or file and its units of work"
                                 : "'VALUE NUMBER' or 'HOST VALUE NUMBER', a value of the label of "
                                   "--standardize (of all "
                                   "or of one host or file) and its units of work";
}

// "HOST VALUE" or "VALUE". The last space separates the value, so that names may contain spaces;
// where tabs separate, values may, too.
void split_label_value(MemberUnits& units, const char* separators) {
  const size_t space = units.member.find_last_of(separators);
  units.stratum = units.member.substr(space == units.member.npos ? 0 : space + 1);
  units.member.resize(space == units.member.npos ? 0
                                                 : units.member.find_last_not_of(" \t", space) + 1);
}

Result<std::vector<MemberUnits>> read_units(const std::string& path, UnitsOf of) {
  PGO_TRY(MappedFile file, MappedFile::open(path, {.limit = kMaxUnitsFile}));
  std::vector<MemberUnits> units;
  std::string_view text = as_text(file.bytes());
  for (size_t number = 1; !text.empty(); number++) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    line.remove_suffix(line.size() - (line.find_last_not_of(" \t\r") + 1));
    if (line.empty() || line.starts_with('#')) continue;
    const size_t space = line.find_last_of(" \t");
    MemberUnits one;
    if (space == line.npos || !parse_units(line.substr(space + 1), one.units))
      return fail(ErrorKind::kInput,
                  path + ":" + std::to_string(number) + ": expected " + line_form(of));
    one.member = line.substr(0, line.find_last_not_of(" \t", space) + 1);
    if (of == UnitsOf::kLabelValues) split_label_value(one, line[space] == '\t' ? "\t" : " \t");
    units.push_back(std::move(one));
  }
  if (units.empty())
    return fail(ErrorKind::kEmpty,
                path + ": contains no units of work; add lines " + line_form(of));
  return units;
}

}  // namespace

bool parse_units(std::string_view text, double& units) {
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), units);
  return error == std::errc() && end == text.data() + text.size() && units > 0 &&
         std::isfinite(units);
}

Result<void> parse_units_argument(const char* option, const std::string& text, UnitsOf of,
                                  double& total, std::vector<MemberUnits>& members) {
  if (text.starts_with('@')) {
    PGO_TRY(members, read_units(text.substr(1), of));
    return ok();
  }
  if (parse_units(text, total)) return ok();
  return fail(ErrorKind::kUsage, std::string(option) + " " + text +
                                     ": expected a number above 0, or @FILE with lines " +
                                     line_form(of));
}

}  // namespace pgo
