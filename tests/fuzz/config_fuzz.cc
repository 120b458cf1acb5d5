// Any bytes as pgo.toml and as CODEOWNERS: an error with its place, or values within their ranges
// and owners that are the same each time.
#include <cmath>
#include <cstdlib>
#include <string_view>

#include "pgo/base/bytes.h"
#include "pgo/config/config.h"

using namespace pgo;

namespace {

bool is_percent(const std::optional<double>& value) {
  return !value || (*value >= 0 && *value <= 100);
}

void ask(const Owners& owners) {
  for (std::string_view function : {"", "main", "void a::b<int>(c::d)", "[libc.so.6]"})
    for (std::string_view path : {"", "a.cc", "/build/src/storage/a.cc", "../a/./b/../c"}) {
      const std::string_view team = owners.team_of(function, path);
      if (team.find('\n') != team.npos || team != owners.team_of(function, path)) std::abort();
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view text = as_text({data, size});
  Owners owners;
  Diagnostics diagnostics;
  owners.add_codeowners(text, "CODEOWNERS", diagnostics);
  ask(owners);
  Result<Config> config = parse_config(text, "fuzz");
  if (!config) {
    if (!config.error().message.starts_with("fuzz:")) std::abort();
    return 0;
  }
  const VerifyConfig& verify = config->verify;
  if (!is_percent(verify.expect) || !is_percent(verify.min_share)) std::abort();
  for (const std::optional<double>& growth : {verify.limit, verify.function_limit})
    if (growth && !(*growth >= 0 && std::isfinite(*growth))) std::abort();
  if (config->cost.cores && !(*config->cost.cores > 0)) std::abort();
  if (config->cost.core_hour && !(*config->cost.core_hour >= 0)) std::abort();
  ask(config->owners);
  return 0;
}
