// Makes logs: the same workload, size and seed give the same text everywhere.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace logrules {

enum class Workload {
  kWeb,       // requests: many fields, few errors
  kJobs,      // long durations, sizes, quoted messages
  kDatabase,  // short lines, quoted statements with escapes
};

std::optional<Workload> workload_named(std::string_view name);
std::string generate_log(Workload workload, uint64_t lines, uint64_t seed);

}  // namespace logrules
