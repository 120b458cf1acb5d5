// Gates: what a new profile must reach to be pinned. Each has a threshold and a reason; the names
// are the keys of [service.NAME.gates] in pgo.toml.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pgo/config/service_config.h"

namespace pgo {

enum class GateVerdict : uint8_t {
  kPassed,
  kFailed,
  kNotChecked,  // what it compares is not there; it keeps nothing from being pinned
};

struct GateResult {
  std::string name;           // "min-quality"
  std::string found, wanted;  // for people: "thin", "fair"
  GateVerdict verdict = GateVerdict::kPassed;
  std::string reason;  // of what failed or was not checked: why it counts, and what to do

  bool operator==(const GateResult&) const = default;
};

// What is known of the counts of a profile.
struct CountFigures {
  Quality quality = Quality::kUnknown;
  std::optional<double> density, halves;  // inferred counts have no density
  uint64_t samples = 0;
  Evidence evidence = Evidence::kUnknown;
};

// Of a BOLT profile.
struct BoltFigures : CountFigures {
  std::string library;  // empty: of the program
};

// What is known of a new profile. Shares are from 0 to 1.
struct GateFigures : CountFigures {
  // Of the BOLT profiles, where these have the counts of one of several builds.
  std::vector<BoltFigures> bolt;
  uint64_t hosts = 0;           // with samples of programs that an archive has
  bool are_hosts_known = true;  // false: of no profile
  double missing_builds = 0;    // FoundBuilds::missing_share()
  // Of the current build with the new profile.
  std::optional<double> match_rate, usual_match;  // percent: what the kind of profile lets expect
  std::string matched;                            // "only 48.0 % of it match build/queryd"
  std::string not_matched;                        // why there is no match rate
  bool lacks_build = false;                       // because the file that is named is missing
  std::optional<double> overlap;                  // with the pinned compile profile
  std::optional<double> code_overlap;             // the same, wherever functions were inlined
  std::string not_overlapped = "nothing is pinned to compare with";  // why there is no overlap
};

// In the order of their names.
std::vector<GateResult> check_gates(const ServiceGates& gates, const GateFigures& figures);

// Those of one BOLT profile, such as a library's: what fails leaves it out, and nothing else.
std::vector<GateResult> check_bolt_gates(const ServiceGates& gates, const BoltFigures& figures);
// "min-samples failed (found 10 584, wanted at least 12 000): there are too few samples; ..." of
// the first that failed; empty: none did.
std::string describe_failed_gate(const std::vector<GateResult>& gates);

// Adds a gate that is no key of pgo.toml, in the order of the names.
void insert_gate(GateResult gate, std::vector<GateResult>& gates);
// The gate of a service whose only profile would be one for BOLT that builds refuse.
GateResult refuse_bolt_evidence(Evidence found, const std::string& reason);

uint64_t count_failed(const std::vector<GateResult>& gates);
inline bool has_failed(const std::vector<GateResult>& gates) { return count_failed(gates) > 0; }

}  // namespace pgo
