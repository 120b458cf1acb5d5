#include "pgo/report/mix_report.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "pgo/base/number_text.h"

namespace pgo {

std::string mix_text(const DiffResult& result) {
  constexpr size_t kShown = 4;
  std::vector<StratumShare> mix = result.mix;
  auto larger = [](const StratumShare& one) { return std::max(one.shares[0], one.shares[1]); };
  std::stable_sort(mix.begin(), mix.end(), [&](const StratumShare& a, const StratumShare& b) {
    return larger(a) > larger(b);
  });
  std::string text = result.standardized_by + ": ";
  for (size_t i = 0; i < std::min(kShown, mix.size()); i++)
    text += (i == 0 ? "" : "; ") + mix[i].value + " " + format_share(mix[i].shares[0]) +
            " before, " + format_share(mix[i].shares[1]) + " after" +
            (mix[i].mix > 0 ? "" : " (left out)");
  if (mix.size() > kShown) text += "; " + format_count(mix.size() - kShown, "other value");
  return text + "; both sides are weighted to the mean of both mixes";
}

nlohmann::json mix_json(const DiffResult& result) {
  nlohmann::json values = nlohmann::json::array();
  for (const StratumShare& share : result.mix)
    values.push_back({{"value", share.value},
                      {"before", share.shares[0]},
                      {"after", share.shares[1]},
                      {"mix", share.mix}});
  return {{"label", result.standardized_by}, {"values", values}};
}

}  // namespace pgo
