#include "pgo/report/show_report.h"

#include <variant>

#include "pgo/report/show_kinds.h"

namespace pgo {

ShowReport make_show_report(const ShowResult& result) {
  return std::visit([&](const auto& contents) { return report_contents(result, contents); },
                    result.contents);
}

}  // namespace pgo
