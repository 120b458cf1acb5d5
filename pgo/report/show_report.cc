#include "pgo/report/show_report.h"

#include <variant>

#include "pgo/report/show_kinds.h"

namespace pgo {

ShowReport make_show_report(const ShowResult& result, const OptionWordsFn& words) {
  return std::visit(
      [&](const auto& contents) {
        if constexpr (requires { report_contents(result, contents, words); })
          return report_contents(result, contents, words);
        else
          return report_contents(result, contents);
      },
      result.contents);
}

}  // namespace pgo
