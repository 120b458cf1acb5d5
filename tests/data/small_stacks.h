// Stack profiles of a few samples, written in the test.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pgo/profile/stack_profile.h"

namespace pgo::test {

struct SmallFrame {
  std::string function;  // empty: code without a name
  std::string file = "";
  std::string binary = "server";
};

struct SmallSample {
  std::vector<SmallFrame> stack;  // leaf first
  int64_t count = 1;
  std::string host = "";  // a label; empty: none
};

// Counts `type`, "samples" by default; each frame is a location of its own.
inline StackProfile small_stacks(const std::vector<SmallSample>& samples,
                                 const std::string& type = "samples",
                                 const std::string& unit = "count") {
  StackProfile profile;
  auto text = [&](const std::string& word) { return profile.strings.add(word); };
  profile.sample_types = {{text(type), text(unit)}};
  uint64_t address = 0;
  for (const SmallSample& sample : samples) {
    std::vector<LocationId> stack;
    for (const SmallFrame& frame : sample.stack) {
      const MappingId mapping = profile.add_mapping({.filename = text(frame.binary)});
      std::vector<StackLine> lines;
      if (!frame.function.empty())
        lines.push_back({profile.add_function({.name = text(frame.function),
                                               .system_name = text(frame.function),
                                               .filename = text(frame.file)}),
                         1, 0});
      stack.push_back(profile.add_location({mapping, RuntimeAddr{++address}}, lines));
    }
    std::vector<StackLabel> labels;
    if (!sample.host.empty()) labels.push_back({.key = text("host"), .text = text(sample.host)});
    profile.add_sample({profile.add_stack(stack), profile.add_labels(labels)}, {sample.count});
  }
  profile.normalize();
  return profile;
}

}  // namespace pgo::test
