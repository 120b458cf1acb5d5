#include "converters/convert_report/convert_report.h"

#include <string_view>

#include "pgo/base/mapped_file.h"

namespace pgo {

bool is_convert_report(Bytes bytes) {
  if (bytes.empty() || bytes[0] != '{') return false;
  std::string_view text = as_text(bytes);
  // Keys are sorted, and of a report with many binaries the others may come later.
  if (bytes.size() >= kKindBytes)
    return text.substr(1).find_first_not_of(" \r\n") == text.find("\"binaries\"") - 1;
  for (std::string_view key : {"\"branches\"", "\"evidence\"", "\"samples\""})
    if (text.find(key) == text.npos) return false;
  return true;
}

}  // namespace pgo
