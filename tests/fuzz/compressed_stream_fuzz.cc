// Any bytes as records, compressed and cut anywhere: what comes out of the stream is what comes out
// of the same bytes as they are. The first two bytes of the input say where to cut.
#include <cstdlib>
#include <vector>

#include "converters/perf_data/record_stream.h"
#include "tests/data/perf_data_builder.h"

using namespace pgo;

namespace {

struct Contents {
  std::vector<uint8_t> records;  // of all blocks
  bool whole = true;             // no problem at the end
  bool nested = false;           // compressed records, which mean nothing inside compressed ones
};

Contents read(Bytes data) {
  Contents contents;
  perf_data::RecordStream stream(data);
  while (std::optional<perf_data::RecordBlock> block = stream.next()) {
    if (block->records.empty() || block->position != contents.records.size()) std::abort();
    contents.records.insert(contents.records.end(), block->records.begin(), block->records.end());
    perf_data::for_each_record(
        block->records, [&](perf_data::RecordHeader header, Bytes record, size_t) {
          if (record.size() < perf_data::kRecordHeaderSize) std::abort();
          contents.nested |=
              header.type == perf_data::kCompressed || header.type == perf_data::kCompressed2;
        });
  }
  contents.whole = stream.problem().empty();
  return contents;
}

bool has_compressed(Bytes data) {
  for (size_t at = 0; size_t size = perf_data::whole_record_size(data.subspan(at)); at += size) {
    uint32_t type = perf_data::load_header(&data[at]).type;
    if (type == perf_data::kCompressed || type == perf_data::kCompressed2) return true;
    if (at + size == data.size()) break;
  }
  return false;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  // As compressed data: whatever it is, reading it comes to an end.
  (void)read(Bytes(data, size));
  if (size < 3) return 0;
  Bytes plain(data + 2, size - 2);
  if (has_compressed(plain)) return 0;
  test::PerfDataBuilder builder;
  builder.start_compressed().raw({plain.begin(), plain.end()});
  builder.end_compressed(
      {.plain = data[0],
       .compressed = data[1],
       .type = data[0] % 2 == 0 ? test::kRecordCompressed : test::kRecordCompressed2});
  test::ByteVector pipe = builder.pipe();
  size_t header = 16 + perf_data::load_header(&pipe[16]).size;  // and the COMPRESSED feature
  Contents expected = read(plain), actual = read(Bytes(pipe).subspan(header));
  if (expected.records != actual.records || expected.whole != actual.whole) std::abort();
  return 0;
}
