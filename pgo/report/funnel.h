// The funnel: what became of every sample and every branch record, as text and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "converters/perf_data/recording_summary.h"
#include "pgo/profile/address_profile.h"

namespace pgo {

// Several lines, from what was seen to what was used, each drop with its reason and share.
std::string format_funnel(const AddressProfile& profile);
// One line: "1 152 697 samples: 100.0 % used; 36 886 304 branch records: 99.8 % used (0.2 % in
// other binaries)".
std::string format_funnel_line(const AddressProfile& profile);
nlohmann::json funnel_json(const AddressProfile& profile);
// The stages that need no ELF file: records, samples, in recorded files, with branch records.
std::string format_funnel(const perf_data::RecordingSummary& summary);
nlohmann::json accounting_json(const Accounting& accounting);

}  // namespace pgo
