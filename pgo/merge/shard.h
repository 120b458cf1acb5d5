// Shard: the part of the inputs that one of several merges reads. Merging the outputs of all shards
// gives the bytes of one merge of all inputs.
//
//   Shard shard{3, 16};
//   shard.has("hosts/a.addr")      is it an input of shard 3 of 16?
//
// The one hard idea: a merge of all inputs rounds once, at its end, but shards are rounded one by
// one. So shards take whole weights only: then there is nothing to round.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "pgo/base/result.h"
#include "pgo/source/input_files.h"

namespace pgo {

struct Shard {
  static constexpr uint64_t kMaxCount = 1'000'000;

  uint64_t index = 0, count = 1;  // index: from 0, less than count

  // Error: kUsage when there is no such shard.
  Result<void> check() const;
  // By the first 8 bytes of the SHA-256 of the name, as a big-endian number, modulo `count`: the
  // same on each machine. O(size).
  bool has(std::string_view name) const;
  bool operator==(const Shard&) const = default;
};

// What tells an input from others on each machine: its path; of a member of a bundle, which may be
// anywhere, its path in the bundle.
std::string_view shard_name(const InputFile& file);

// Removes the inputs of other shards from `files`. Returns them.
std::vector<InputFile> leave_out_other_shards(const Shard& shard, std::vector<InputFile>& files);

}  // namespace pgo
