// Config: what pgo.toml says: limits of pgo verify and pgo fetch, teams of functions, what a core
// costs, the services of pgo refresh. docs/reference/config.md describes the file.
//
//   if (std::optional<std::string> path = find_config(".")) {
//     PGO_TRY(Config config, read_config(*path));
//     config.owners.team_of(function, source_path);
//   }
//
// Errors name the place, what was found there and what was expected:
// "pgo.toml:3:9: verify.expect is 120; expected a percentage from 0 to 100". Columns count
// characters.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pgo/base/diagnostics.h"
#include "pgo/base/result.h"
#include "pgo/config/owners.h"
#include "pgo/config/service_config.h"

namespace pgo {

inline constexpr const char* kConfigName = "pgo.toml";

// [verify], in percent.
struct VerifyConfig {
  std::optional<double> limit, expect, function_limit, min_share;

  bool operator==(const VerifyConfig&) const = default;
};

// [cost]
struct CostConfig {
  std::optional<double> cores;      // that the service keeps busy on average; above 0
  std::optional<double> core_hour;  // price of a core for an hour; 0 or more
  std::string currency;             // "USD"; empty: not given

  bool operator==(const CostConfig&) const = default;
};

// [fetch]: what fetched profiles must reach; overlap and missing in percent.
struct FetchConfig {
  std::optional<double> profiles, hosts, samples, overlap, missing;

  bool operator==(const FetchConfig&) const = default;
};

struct Config {
  VerifyConfig verify;
  CostConfig cost;
  FetchConfig fetch;
  std::optional<PlacedText> codeowners;  // a path
  Owners owners;
  std::vector<ServiceConfig> services;  // in the order of the file
  Diagnostics diagnostics;
};

// Also reads the CODEOWNERS file, whose path is relative to that of pgo.toml. Errors: kIo; kInput
// for what is no TOML, for unknown keys and wrong values, and for a file of more than 1 MB
// (CODEOWNERS: 3 MB).
Result<Config> read_config(const std::string& path);

// Reads no other file: `owners` has the patterns of the text only. `name` is for messages.
// O(length log length).
Result<Config> parse_config(std::string_view text, const std::string& name);

// The absolute path of the nearest pgo.toml: in `start_directory` or in a directory above it.
std::optional<std::string> find_config(const std::string& start_directory);

}  // namespace pgo
