#include "pgo/report/junit_text.h"

#include <algorithm>

#include "converters/flame_graph/flame_text.h"
#include "pgo/base/markup_text.h"

namespace pgo {
namespace {

std::string safe(const std::string& text) { return markup_text(printable_name(text)); }

std::string junit_case_xml(const JunitCase& test) {
  std::string xml = "  <testcase classname=\"pgo.verify\" name=\"" + safe(test.name) + "\"";
  switch (test.outcome) {
    case Outcome::kPass:
      return xml + ">\n    <system-out>" + safe(test.text) + "</system-out>\n  </testcase>\n";
    case Outcome::kFail:
      return xml + ">\n    <failure message=\"" + safe(test.text) + "\"/>\n  </testcase>\n";
    case Outcome::kInconclusive:
      return xml + ">\n    <skipped message=\"" + safe(test.text) + "\"/>\n  </testcase>\n";
  }
  return "";
}

}  // namespace

std::string junit_text(std::span<const JunitCase> cases, const std::vector<std::string>& warnings) {
  auto count = [&](Outcome outcome) {
    return std::to_string(std::count_if(cases.begin(), cases.end(), [&](const JunitCase& test) {
      return test.outcome == outcome;
    }));
  };
  std::string xml =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"pgo verify\" tests=\"" +
      std::to_string(cases.size()) + "\" failures=\"" + count(Outcome::kFail) +
      "\" errors=\"0\" skipped=\"" + count(Outcome::kInconclusive) + "\">\n";
  for (const JunitCase& test : cases) xml += junit_case_xml(test);
  if (!warnings.empty()) {
    xml += "  <system-err>";
    for (const std::string& warning : warnings) xml += "warning: " + safe(warning) + "\n";
    xml += "</system-err>\n";
  }
  return xml + "</testsuite>\n";
}

}  // namespace pgo
