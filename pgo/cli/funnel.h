// The funnel: what became of every sample and every branch record, as text and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "converters/perf_data/recording_summary.h"
#include "pgo/profile/address_profile.h"

namespace pgo {

// Several lines, from what was seen to what was used, each drop with its reason and share.
std::string format_funnel(const AddressProfile& profile);
// One line: "1152697 samples, 36886304 branch records: 99.8 % used (0.2 % in other binaries)".
std::string format_funnel_line(const AddressProfile& profile);
// What was dropped, most first: "81.6 % in other binaries, 18.4 % in the kernel". `except` is left
// out.
std::string format_drops(const Accounting& accounting,
                         std::optional<Dropped> except = std::nullopt);
nlohmann::json funnel_json(const AddressProfile& profile);
// The stages that need no ELF file: records, samples, in recorded files, with branch stacks.
std::string format_funnel(const perf_data::RecordingSummary& summary);
nlohmann::json accounting_json(const Accounting& accounting);
nlohmann::json warnings_json(const Diagnostics& diagnostics);

// A share of `whole` in percent with one decimal, "0.0 %" when there is nothing.
std::string format_percent(uint64_t part, uint64_t whole);
// "91.6 %" of a share, 0 to 1.
std::string format_share(double share);
// 1234567 as "1 234 567".
std::string format_count(uint64_t count);
// "1 sample", "1 234 samples"; of other words both forms are given.
std::string format_count(uint64_t count, std::string_view one);
std::string format_count(uint64_t count, std::string_view one, std::string_view several);

}  // namespace pgo
