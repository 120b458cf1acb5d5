#include "converters/convert_report/convert_report.h"

#include <string_view>

namespace pgo {
namespace {

constexpr size_t kMaxReport = size_t{1} << 26;  // bytes

}  // namespace

bool is_convert_report(Bytes bytes) {
  if (bytes.empty() || bytes[0] != '{' || bytes.size() > kMaxReport) return false;
  std::string_view text = as_text(bytes);
  for (std::string_view key : {"\"branches\"", "\"evidence\"", "\"samples\""})
    if (text.find(key) == text.npos) return false;
  return true;
}

}  // namespace pgo
