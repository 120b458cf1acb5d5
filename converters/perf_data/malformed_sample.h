// Sample records that cannot be read: the first of a recording is named in a warning, whichever
// thread found it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "pgo/base/diagnostics.h"

namespace pgo::perf_data {

class MalformedSamples {
 public:
  // `position` is the record's in the record stream; `reason` follows "the sample record …".
  void add(uint64_t position, const char* reason) {
    if (!first_ || position < first_->position) first_ = {position, reason};
    count_++;
  }
  // What another thread found.
  void add(const MalformedSamples& other) {
    if (other.first_ && (!first_ || other.first_->position < first_->position))
      first_ = other.first_;
    count_ += other.count_;
  }
  // `path` is the recording's.
  void warn(const std::string& path, Diagnostics& diagnostics) const {
    if (first_)
      diagnostics.warn("malformed-sample",
                       path + ": the sample record at byte " + std::to_string(first_->position) +
                           " of the records " + first_->reason + "; such samples are left out",
                       count_);
  }

 private:
  struct First {
    uint64_t position = 0;
    const char* reason = "";
  };

  std::optional<First> first_;
  uint64_t count_ = 0;
};

}  // namespace pgo::perf_data
