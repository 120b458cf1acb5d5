// RecordStream: cuts the records of a perf.data file into blocks of whole records, so that blocks
// can be read on their own, on any thread. Compressed records are inflated on the way, in bounded
// memory; what is cut off at the end of a crashed recording is reported, not an error.
//
//   RecordStream stream(data);
//   while (std::optional<RecordBlock> block = stream.next())
//     for_each_record(block->records, [&](RecordHeader header, Bytes record, size_t offset) {...});
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "converters/perf_data/event_attr.h"
#include "pgo/base/bytes.h"

namespace pgo::perf_data {

struct RecordBlock {
  Bytes records;               // whole records; payloads behind AUXTRACE and TRACING_DATA included
  uint64_t position = 0;       // of the first record in the stream; grows from block to block
  std::vector<uint8_t> owned;  // holds `records` when they were inflated
};

class RecordStream {
 public:
  static constexpr size_t kBlockSize = 4u << 20;

  // A block ends with the record that takes it to `block_size` bytes.
  explicit RecordStream(Bytes data, size_t block_size = kBlockSize);
  RecordStream(RecordStream&&) noexcept;
  ~RecordStream();

  // The next block, or nothing at the end (see problem()). O(records in the block).
  std::optional<RecordBlock> next();

  // Why the stream ended before the data did ("record at byte 4711 claims 9 bytes, 3 are left");
  // empty when it did not.
  const std::string& problem() const { return problem_; }
  bool saw_compressed() const { return inflater_ != nullptr; }

 private:
  class Inflater;

  std::optional<RecordBlock> next_inflated();

  Bytes data_;
  size_t block_size_;
  size_t offset_ = 0;      // of the next record in data_
  uint64_t position_ = 0;  // of the next block in the stream
  std::string problem_;
  std::unique_ptr<Inflater> inflater_;  // once a compressed record was seen
};

// The size of the record at the start of `bytes` with its payload, or 0 when it is not whole.
size_t whole_record_size(Bytes bytes);

// A record says where the next one is, and the header of that is in no cache: of a recording with
// branch stacks, waiting for it is most of the time. Most records are of one size, so the one that
// is likely to follow after several others is fetched ahead. Reads nothing that is not in `bytes`.
inline void prefetch_ahead(Bytes bytes, size_t offset, size_t size) {
  constexpr size_t kRecords = 12, kCacheLine = 64;
  const size_t ahead = offset + kRecords * size;
  if (ahead + kCacheLine >= bytes.size()) return;
  __builtin_prefetch(bytes.data() + ahead);
  __builtin_prefetch(bytes.data() + ahead + kCacheLine);
}

// Calls visit(header, record, offset in records) for each record of a block.
template <typename Visit>
void for_each_record(Bytes records, const Visit& visit) {
  for (size_t offset = 0; offset < records.size();) {
    Bytes rest = records.subspan(offset);
    RecordHeader header = load_header(rest.data());
    prefetch_ahead(records, offset, header.size);
    visit(header, rest.first(header.size), offset);
    offset += header.type == kAuxtrace || header.type == kTracingData ? whole_record_size(rest)
                                                                      : header.size;
  }
}

}  // namespace pgo::perf_data
