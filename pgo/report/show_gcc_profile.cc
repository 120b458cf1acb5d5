// A profile for GCC's -fauto-profile: how it counts, its functions.

#include "pgo/base/number_text.h"
#include "pgo/report/profiled_functions.h"
#include "pgo/report/show_kinds.h"

namespace pgo {

ShowReport report_contents(const ShowResult& result, const GccContents& contents) {
  ShowReport report;
  report.json = {{"path", result.path},
                 {"format", "gcc"},
                 {"size", result.size},
                 {"discriminators", contents.has_discriminators}};
  TextSheet sheet;
  sheet.line(result.path + ": GCC profile for -fauto-profile, " + format_size(result.size));
  sheet.row("kind", contents.has_discriminators
                        ? "by line and discriminator, as GCC 13 to 15 look them up"
                        : "by line, as GCC 12 looks them up");
  add_sums(contents.functions, {}, report, sheet);
  add_hottest(contents.functions, report, sheet);
  report.text = sheet.text();
  return report;
}

}  // namespace pgo
