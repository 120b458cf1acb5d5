// What `pgo bolt` did, as a short table and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "bolt/bolt_log.h"
#include "pgo/cli/bolt_profile.h"

namespace pgo {

struct BoltReport {
  struct Check {
    std::string name, outcome;  // "loader", "passed"
  };

  std::string input, output;
  std::string reason;                // why it was not optimised; empty: it was
  std::string delivered = "result";  // or "input" as it was, or "nothing"
  std::string program, version;      // of llvm-bolt
  std::vector<std::string> options, missing;
  std::string log_file;                // all that llvm-bolt and perf2bolt said; empty: nowhere
  std::optional<BoltProfile> profile;  // without its contents
  BoltLog log;
  std::vector<Check> checks;
};

std::string format_bolt_report(const BoltReport& report);
nlohmann::json bolt_report_json(const BoltReport& report);
// Comes last, so that nobody overlooks it: the output is the input, or nothing.
void print_delivery(const BoltReport& report);
// What perf2bolt, llvm-bolt and the choice of options warn of, to standard error.
void print_bolt_warnings(const BoltReport& report);

}  // namespace pgo
