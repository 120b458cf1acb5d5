// Why a conversion came out empty: the stage of the funnel that emptied it, and the likely cause.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "converters/perf_data/recording.h"
#include "pgo/base/build_id.h"
#include "pgo/cli/binary_set.h"
#include "pgo/profile/address_profile.h"

namespace pgo {

// The binaries that recordings say were mapped, by path.
class RecordedImages {
 public:
  void add(const perf_data::Recording& recording);
  // A few lines, most often mapped first: path and build id.
  std::string list() const;
  bool has_aux_data() const { return has_aux_data_; }

 private:
  struct Image {
    BuildId id;
    uint64_t maps = 0;
  };
  std::map<std::string, Image> images_;
  bool has_aux_data_ = false;
};

// An error when nothing in `profile` can be written, else nothing.
std::optional<Error> explain_if_empty(const AddressProfile& profile, const BinarySet& binaries,
                                      const RecordedImages& images);

}  // namespace pgo
