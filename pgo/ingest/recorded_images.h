// RecordedImages: the binaries that recordings say were mapped, by path; for messages about what
// ran instead of what was asked for.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "converters/perf_data/perf_data_reader.h"
#include "converters/perf_data/recording_summary.h"
#include "pgo/base/build_id.h"
#include "pgo/profile/address_profile.h"
#include "pgo/profile/stack_profile.h"

namespace pgo {

// Is this name of a mapping an absolute path? Memory without a file has names as //anon and [heap],
// and a name without its directory finds no file.
bool is_absolute_path(std::string_view name);

class RecordedImages {
 public:
  void add(const perf_data::Recording& recording);
  void add(const StackProfile& profile);
  void add(const AddressProfile& profile);
  void add(const RecordedImages& other);
  // Samples of a recording that were taken in files that are none of the binaries asked for.
  void add(const std::vector<perf_data::OtherFile>& others);
  // The same of a profile, whose samples add(profile) has counted.
  void add_others(const std::vector<perf_data::OtherFile>& others);
  // These files, most samples first; of equal ones by path.
  std::vector<perf_data::OtherFile> others() const;
  // How often each was sampled, which a recording does not say before its samples are read.
  void add_samples(const perf_data::RecordingSummary& summary);
  // A few lines, most often sampled first, then most often mapped: path and build ID.
  std::string list(const std::string& indent = "  ") const;
  // The path of an image that BOLT made from the binary with this build ID, or the other way round.
  std::optional<std::string> find_bolt_relative(const BuildId& id) const;
  // Was an image mapped whose build ID this is?
  bool has_build(const BuildId& id) const;
  bool has_aux_data() const { return has_aux_data_; }
  // True if some stack profile does not name the build of its main binary.
  bool has_unknown_main() const { return has_unknown_main_; }

 private:
  struct Image {
    BuildId id;
    uint64_t samples = 0;  // for a profile, what was counted in it
    uint64_t mapped = 0;   // how often, in recordings
  };
  using PathAndBuild = std::pair<std::string, BuildId>;
  std::map<PathAndBuild, uint64_t> others_;
  std::map<std::string, Image> images_;
  std::set<BuildId> builds_;  // of all images, also of several at one path, or at none
  bool has_aux_data_ = false, has_unknown_main_ = false;
};

}  // namespace pgo
