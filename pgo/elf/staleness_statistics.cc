#include "pgo/elf/staleness_statistics.h"

#include <charconv>
#include <string>
#include <string_view>

#include "pgo/base/base64.h"
#include "pgo/base/bytes.h"
#include "pgo/profile/accounting.h"

namespace pgo {
namespace {

struct Key {
  std::string_view name;
  uint64_t StalenessStatistics::* field;
};
constexpr Key kKeys[] = {
    {"TotalProfiledCallsites", &StalenessStatistics::call_sites},
    {"NumMismatchedCallsites", &StalenessStatistics::lost_call_sites},
    {"NumRecoveredCallsites", &StalenessStatistics::recovered_call_sites},
    {"MismatchedCallsiteSamples", &StalenessStatistics::lost_call_site_samples},
    {"RecoveredCallsiteSamples", &StalenessStatistics::recovered_call_site_samples},
    {"NumCallGraphRecoveredProfiledFunc", &StalenessStatistics::renamed_functions},
    {"NumCallGraphRecoveredFuncSamples", &StalenessStatistics::renamed_samples},
    {"TotalProfiledFunc", &StalenessStatistics::functions},
    {"NumStaleProfileFunc", &StalenessStatistics::changed_functions},
    {"TotalFunctionSamples", &StalenessStatistics::samples},
    {"MismatchedFunctionSamples", &StalenessStatistics::changed_samples},
};

std::optional<uint64_t> number_in(std::string_view base64) {
  std::optional<std::string> digits = from_base64(base64);
  if (!digits) return std::nullopt;
  uint64_t number = 0;
  const char* end = digits->data() + digits->size();
  auto [stop, error] = std::from_chars(digits->data(), end, number);
  if (error != std::errc() || stop != end) return std::nullopt;
  return number;
}

}  // namespace

std::optional<StalenessStatistics> parse_staleness_statistics(Bytes section) {
  StalenessStatistics statistics;
  bool any = false;
  ByteCursor cursor(section);
  while (cursor.remaining() > 0) {
    std::string_view key = as_text(cursor.take(cursor.uleb128()));
    std::string_view value = as_text(cursor.take(cursor.uleb128()));
    if (!cursor.ok()) break;
    for (const Key& known : kKeys) {
      if (known.name != key) continue;
      std::optional<uint64_t> number = number_in(value);
      if (!number) continue;
      statistics.*known.field = saturating_add(statistics.*known.field, *number);
      any = true;
    }
  }
  if (!any) return std::nullopt;
  return statistics;
}

std::optional<StalenessStatistics> find_staleness_statistics(const ElfImage& image) {
  const ElfImage::Section* section = image.find_section(".llvm_stats");
  if (section == nullptr) return std::nullopt;
  return parse_staleness_statistics(section->bytes);
}

}  // namespace pgo
