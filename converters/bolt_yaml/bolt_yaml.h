// BOLT's profile as YAML (perf2bolt -profile-format=yaml): functions, blocks and their counts, by
// hashes of the code. Read here for the build that it is of, and to be described: line by line, as
// LLVM lays it out, and no YAML beyond that; llvm-bolt reads the rest.
//
//   ---
//   header:
//     profile-version: 1
//     binary-name:     server
//     binary-build-id: 0b286087ce93a9612f5168ea0a9d5137c5e5ab9e
//     profile-flags:   [ lbr ]             or [ sample ]: PC samples
//   functions:
//     - name:            '_ZL4stepl/1'
//       fid:             2
//       hash:            0xFB3EA3E1E1F246AD
//       exec:            1                 how often it was entered
//       nblocks:         6
//       blocks:
//         - bid:             0
//           events:          5             of PC samples
//           succ:            [ { bid: 4, cnt: 1, mis: 1 }, { bid: 1, cnt: 0 } ]
//           calls:           [ { off: 0x8, fid: 3, cnt: 1 } ]
//   ...
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pgo/base/build_id.h"
#include "pgo/base/bytes.h"
#include "pgo/base/result.h"

namespace pgo {

// Does the text begin like one?
bool is_bolt_yaml(Bytes bytes);

// The build that the profile is of; empty when it does not say.
BuildId bolt_yaml_build_id(Bytes bytes);

struct BoltYamlFunction {
  std::string_view name;  // as it is in the file, perhaps in quotes: bolt_yaml_scalar()
  uint64_t entries = 0;
  uint64_t count = 0;  // of its branches, fall-throughs and calls, or its PC samples
  uint64_t mispredicts = 0;
};

struct BoltYamlProfile {
  std::string binary_name;  // empty when it does not say
  BuildId build_id;         // the same
  bool pc_samples = false;
  std::vector<BoltYamlFunction> functions;  // as they are in the file, which they point into
};

// What a plain value or one in quotes says.
std::string bolt_yaml_scalar(std::string_view text);

// `name` is for messages. Sums stop at the largest number. Error: kInput for a number that is none
// or text behind the end, with its line, or a file that was cut short. O(size).
Result<BoltYamlProfile> parse_bolt_yaml(Bytes bytes, const std::string& name);

}  // namespace pgo
