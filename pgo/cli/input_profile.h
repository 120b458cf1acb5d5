// From the INPUT arguments of a command to one AddressProfile: all of them added up.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "converters/perf_data/perf_data_reader.h"
#include "pgo/cli/binary_set.h"
#include "pgo/cli/named_input.h"
#include "pgo/profile/address_profile.h"
#include "pgo/profile/stack_profile.h"

namespace pgo {

// The binaries that recordings say were mapped, by path; for error messages.
class RecordedImages {
 public:
  void add(const perf_data::Recording& recording);
  void add(const StackProfile& profile);
  void add(const AddressProfile& profile);
  void add(const RecordedImages& other);
  // A few lines, most often sampled or mapped first: path and build id.
  std::string list() const;
  // The path of an image that BOLT made from the binary with this build id, or the other way round.
  std::optional<std::string> find_bolt_relative(const BuildId& id) const;
  // Was an image mapped whose build id this is?
  bool has_build(const BuildId& id) const;
  bool has_aux_data() const { return has_aux_data_; }
  // Does a profile of stacks not say of which build its main binary is?
  bool has_unknown_main() const { return has_unknown_main_; }

 private:
  struct Image {
    BuildId id;
    uint64_t seen = 0;  // how often it was mapped; of stacks, what was counted in it
  };
  std::map<std::string, Image> images_;
  std::set<BuildId> builds_;  // of all images, also of several at one path, or at none
  bool has_aux_data_ = false, has_unknown_main_ = false;
};

struct InputProfile {
  AddressProfile profile;  // normalized
  NamedInput named;        // when there is nothing better; its samples are accounted in `profile`
  RecordedImages images;
  // Pre-aggregated traces do not say how many samples they are of, nor whether they were inferred.
  bool has_preaggregated_traces = false;
  // Of inputs that gave no trace, sorted by path: which, and why.
  std::vector<std::string> unused;
};

// Reads recordings, address profiles, pprof profiles (of which options.event names the sample type)
// and pre-aggregated traces, but for the files that are `written` afterwards
// (leave_out_outputs()). The order of `arguments` does not matter. Many inputs are read side by
// side, a single or a huge one by all threads (reading_order.h); memory is bounded by the sum of
// the profiles of as many inputs as there are threads and the merged result.
Result<InputProfile> read_input_profile(const std::vector<std::string>& arguments,
                                        const std::vector<std::string>& written,
                                        const BinarySet& binaries,
                                        const perf_data::ReadOptions& options);

// "FIRST,LAST" in seconds, either of which may be missing, as perf script takes it. Nothing for an
// empty text.
Result<std::optional<std::pair<uint64_t, uint64_t>>> parse_time_window(const std::string& text);

}  // namespace pgo
