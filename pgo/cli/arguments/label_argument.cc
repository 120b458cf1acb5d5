#include "pgo/cli/arguments/label_argument.h"

namespace pgo {

Result<Labels> parse_label_arguments(const std::vector<std::string>& texts,
                                     const std::string& twice) {
  Labels labels;
  for (const std::string& text : texts) {
    const size_t equals = text.find('=');
    if (equals == text.npos || equals == 0)
      return fail(ErrorKind::kUsage, "--label " + text + ": '=' expected, as in zone=eu");
    if (equals + 1 == text.size())
      return fail(ErrorKind::kUsage, "--label " + text + ": its value is empty");
    const std::string key = text.substr(0, equals);
    if (!labels.emplace(key, text.substr(equals + 1)).second)
      return fail(ErrorKind::kUsage, "the label " + key + " is " + twice + " twice");
  }
  return labels;
}

}  // namespace pgo
