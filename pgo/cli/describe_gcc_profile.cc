// What a profile for GCC's -fauto-profile holds: how much it counts, its hottest functions.

#include <algorithm>

#include "converters/gcc_auto/gcc_auto_profile.h"
#include "pgo/cli/description.h"
#include "pgo/cli/entered_functions.h"

namespace pgo {
namespace {

constexpr GccAutoProfile::Place kDiscriminator = 0xffff;

bool has_discriminators(const GccAutoProfile::Body& body) {
  return std::any_of(body.positions.begin(), body.positions.end(),
                     [](const auto& one) { return (one.first & kDiscriminator) != 0; }) ||
         std::any_of(body.inlined.begin(), body.inlined.end(), [](const auto& one) {
           return (one.first.first & kDiscriminator) != 0 || has_discriminators(one.second);
         });
}

}  // namespace

Result<Description> describe_gcc_profile(Bytes bytes, const std::string& path,
                                         const DescribeOptions& options) {
  PGO_TRY(GccAutoProfile profile, parse_gcc_auto_profile(bytes, path));
  EnteredFunctions functions;
  bool discriminators = false;
  for (const auto& [name, function] : profile.functions) {
    functions.add({name, function.body.total(), function.head});
    discriminators |= has_discriminators(function.body);
  }

  Description description;
  description.json = {{"path", path},
                      {"format", "gcc"},
                      {"size", bytes.size()},
                      {"discriminators", discriminators}};
  TextSheet sheet;
  sheet.line(path + ": GCC profile for -fauto-profile, " + format_size(bytes.size()));
  sheet.row("kind", discriminators ? "by line and discriminator, as GCC 13 to 15 look them up"
                                   : "by line, as GCC 12 looks them up");
  functions.add_sums(description, sheet);
  functions.add_hottest(options.top, description, sheet);
  description.text = sheet.text();
  return description;
}

}  // namespace pgo
