#include "pgo/paired_runs/looks.h"

#include <algorithm>

#include "pgo/paired_runs/alpha_spending.h"
#include "pgo/paired_runs/pair_statistics.h"

namespace pgo {

std::vector<Look> plan_looks(size_t max_pairs) {
  std::vector<Look> looks;
  for (size_t look = 1; look <= kLooks; look++) {
    const size_t pairs = std::max(kFirstLook, (max_pairs * look + kLooks - 1) / kLooks);
    if (looks.empty() || pairs > looks.back().pairs) looks.push_back({pairs});
  }
  std::vector<double> information;
  for (const Look& look : looks)
    information.push_back(static_cast<double>(look.pairs) / static_cast<double>(max_pairs));
  const std::vector<double> errors = spend_error(information, kRunsError);
  for (size_t i = 0; i < looks.size(); i++) looks[i].error = errors[i];
  return looks;
}

}  // namespace pgo
