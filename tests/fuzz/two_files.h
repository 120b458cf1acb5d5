// Two files in one input, for commands that take two: the size of the first (u32), the first, the
// second.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "pgo/base/bytes.h"
#include "tests/data/byte_writer.h"

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

namespace pgo::test {

struct TwoFiles {
  Bytes first, second;
};

// Nothing where the first is longer than all there is.
inline std::optional<TwoFiles> split_files(Bytes input) {
  ByteCursor cursor(input);
  TwoFiles files;
  files.first = cursor.take(cursor.u32());
  files.second = cursor.take(cursor.remaining());
  return cursor.ok() ? std::optional(files) : std::nullopt;
}

inline ByteVector join_files(const TwoFiles& files) {
  ByteVector joined;
  put32(joined, static_cast<uint32_t>(files.first.size()));
  joined.insert(joined.end(), files.first.begin(), files.first.end());
  joined.insert(joined.end(), files.second.begin(), files.second.end());
  return joined;
}

// For LLVMFuzzerCustomMutator(): changes one of both files. What is inserted into the first does
// not cut the second.
inline size_t mutate_files(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
  std::optional<TwoFiles> files = split_files({data, size});
  if (!files) return LLVMFuzzerMutate(data, size, max_size);
  Bytes& changing = seed % 2 != 0 ? files->first : files->second;
  ByteVector changed(changing.begin(), changing.end());
  const size_t room = max_size - std::min(max_size, size) + changing.size();
  changed.resize(std::max({room, changing.size(), size_t{1}}));
  changed.resize(LLVMFuzzerMutate(changed.data(), changing.size(), changed.size()));
  changing = changed;
  ByteVector joined = join_files(*files);
  joined.resize(std::min(joined.size(), max_size));
  std::copy(joined.begin(), joined.end(), data);
  return joined.size();
}

}  // namespace pgo::test
