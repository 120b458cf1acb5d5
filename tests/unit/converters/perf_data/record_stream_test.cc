#include "converters/perf_data/record_stream.h"

#include <gtest/gtest.h>

#include <set>

#include "converters/perf_data/recording.h"
#include "tests/data/perf_data_builder.h"

namespace pgo::test::record_stream_test {
namespace {

using perf_data::for_each_record;
using perf_data::RecordBlock;
using perf_data::RecordHeader;
using perf_data::RecordStream;

// The types of the records of a stream, and its problem if it has one.
std::string types(Bytes data) {
  std::string text;
  RecordStream stream(data);
  uint64_t position = 0;
  while (std::optional<RecordBlock> block = stream.next()) {
    EXPECT_EQ(block->position, position);
    EXPECT_FALSE(block->records.empty());
    for_each_record(block->records, [&](RecordHeader header, Bytes record, size_t) {
      EXPECT_EQ(record.size(), header.size);
      text += std::to_string(header.type) + ' ';
    });
    position += block->records.size();
  }
  EXPECT_FALSE(stream.next());
  return text + (stream.problem().empty() ? "" : "| " + stream.problem());
}

// The data section of what `perf` writes for these records.
ByteVector data_of(const PerfDataBuilder& perf) {
  ByteVector pipe = perf.pipe();
  return ByteVector(pipe.begin() + 16, pipe.end());
}

TEST(RecordStream, HandsOutWholeRecords) {
  PerfDataBuilder perf;
  perf.record(1000, 0, {}).record(1001, 0, ByteVector(100)).record(1002, 0, ByteVector(65527));
  EXPECT_EQ(types(data_of(perf)), "1000 1001 1002 ");
  EXPECT_EQ(types({}), "");
}

// Payloads stand behind AUXTRACE and TRACING_DATA; here they look like records.
TEST(RecordStream, StepsOverPayloads) {
  std::string decoy("\x01\0\0\0\0\0\x08\0", 8);
  PerfDataBuilder perf;
  perf.record(1000, 0, {}).auxtrace(decoy + decoy).record(1001, 0, {});
  EXPECT_EQ(types(data_of(perf)), "1000 71 1001 ");
  PerfDataBuilder tracing;
  tracing.record(1000, 0, {}).tracing_data(decoy).record(1001, 0, {});
  EXPECT_EQ(types(data_of(tracing)), "1000 66 1001 ");
}

TEST(RecordStream, CutsLongStreamsIntoBlocks) {
  PerfDataBuilder perf;
  std::string expected;
  for (uint32_t i = 0; i < 70; i++) {
    perf.record(1000 + i, 0, ByteVector(65000));
    expected += std::to_string(1000 + i) + ' ';
  }
  ByteVector data = data_of(perf);
  EXPECT_EQ(types(data), expected);
  RecordStream stream(data);
  size_t blocks = 0;
  while (stream.next()) blocks++;
  EXPECT_EQ(blocks, 2u);  // 4.5 MB in blocks of 4 MiB
  RecordStream pairs(data, 65009);
  for (blocks = 0; std::optional<perf_data::RecordBlock> block = pairs.next(); blocks++)
    EXPECT_EQ(block->records.size(), 2u * 65008);
  EXPECT_EQ(blocks, 35u);
}

TEST(RecordStream, SaysWhereItWasCutShort) {
  PerfDataBuilder perf;
  perf.record(1000, 0, {}).record(1001, 0, words({1, 2}));
  ByteVector data = data_of(perf);
  for (size_t size = 9; size < 32; size++) {
    uint64_t claimed = size < 16 ? 8 : 24;
    EXPECT_EQ(types(Bytes(data).first(size)), "1000 | the record at byte 8 of the data claims " +
                                                  std::to_string(claimed) + " bytes, " +
                                                  std::to_string(size - 8) + " are left");
  }
  EXPECT_EQ(types(Bytes(data).first(5)),
            "| the record at byte 0 of the data claims 8 bytes, 5 are left");
}

// Sizes that lead nowhere or out of the file.
TEST(RecordStream, StopsAtImpossibleSizes) {
  for (uint64_t size : {0u, 1u, 7u})
    EXPECT_EQ(types(words({8ull << 48 | 1000, size << 48 | 1001, 8ull << 48 | 1002})),
              "1000 | the record at byte 8 of the data claims " + std::to_string(size) +
                  " bytes, 16 are left");
  const std::pair<uint64_t, const char*> kPayloads[] = {
      {~0ull, "18446744073709551615"}, {1ull << 63, "9223372036854775824"}, {9, "25"}};
  for (auto [payload, claimed] : kPayloads)
    EXPECT_EQ(types(words({16ull << 48 | 71, payload, 8ull << 48 | 1002})),
              std::string("| the record at byte 0 of the data claims ") + claimed +
                  " bytes, 24 are left");
  EXPECT_EQ(types(words({16ull << 48 | 66, 0xffffffff, 8ull << 48 | 1002})),
            "| the record at byte 0 of the data claims 4294967312 bytes, 24 are left");
  // Cut off before the size of the payload.
  EXPECT_EQ(types(words({16ull << 48 | 71})),
            "| the record at byte 0 of the data claims 16 bytes, 8 are left");
}

// Compressed records, cut at every size so that records inside them straddle two or more.
TEST(RecordStream, InflatesRecordsThatStraddle) {
  for (uint32_t type : {kRecordCompressed, kRecordCompressed2})
    for (size_t plain : {0u, 1u, 7u, 30u, 64u})
      for (size_t compressed : {0u, 1u, 5u, 13u}) {
        PerfDataBuilder perf;
        perf.record(1000, 0, {}).start_compressed();
        for (uint32_t i = 1; i < 6; i++) perf.record(1000 + i, 0, ByteVector(8 * i, 'x'));
        perf.end_compressed({plain, compressed, type}).record(1010, 0, {});
        perf.start_compressed()
            .record(1011, 0, words({5}))
            .end_compressed({plain, compressed, type});
        ByteVector pipe = perf.pipe();
        // The pipe begins with the COMPRESSED feature, a record of type 80.
        EXPECT_EQ(types(Bytes(pipe).subspan(16)), "80 1000 1001 1002 1003 1004 1005 1010 1011 ")
            << plain << ' ' << compressed;
      }
}

// A record that is not compressed between the halves of one that is.
TEST(RecordStream, KeepsWhatStandsBetweenCompressedHalves) {
  PerfDataBuilder inner, perf;
  inner.record(1001, 0, words({1, 2})).record(1002, 0, words({3}));
  ByteVector records = data_of(inner);
  perf.start_compressed().raw(ByteVector(records.begin(), records.begin() + 10));
  perf.end_compressed().finished_round().start_compressed();
  perf.raw(ByteVector(records.begin() + 10, records.end())).end_compressed();
  EXPECT_EQ(types(Bytes(perf.pipe()).subspan(16)), "80 68 1001 1002 ");
}

// A small record that inflates to many blocks.
TEST(RecordStream, InflatesInPieces) {
  PerfDataBuilder perf;
  perf.start_compressed();
  for (int i = 0; i < 140; i++) perf.record(1000, 0, ByteVector(65000));
  perf.end_compressed();
  ByteVector pipe = perf.pipe();
  EXPECT_LT(pipe.size(), 100000u);
  RecordStream stream(Bytes(pipe).subspan(16));
  size_t blocks = 0, records = 0, largest = 0;
  while (std::optional<RecordBlock> block = stream.next()) {
    blocks++;
    largest = std::max(largest, block->records.size());
    for_each_record(block->records, [&](RecordHeader, Bytes, size_t) { records++; });
  }
  EXPECT_TRUE(stream.saw_compressed());
  EXPECT_EQ(stream.problem(), "");
  EXPECT_EQ(records, 1u + 140);
  EXPECT_EQ(blocks, 4u);
  EXPECT_LT(largest, RecordStream::kBlockSize + (1u << 18));
}

TEST(RecordStream, ReportsDamagedCompression) {
  ByteVector garbage = words({16ull << 48 | kRecordCompressed, 0x123456789abcdef0});
  EXPECT_EQ(types(garbage), "| the compressed record before byte 16 of the data is damaged");

  PerfDataBuilder whole;
  whole.start_compressed().record(1000, 0, words({1})).raw({1, 2, 3}).end_compressed();
  EXPECT_EQ(types(Bytes(whole.pipe()).subspan(16)),
            "80 1000 | the last 3 bytes of the compressed data are not a whole record");

  PerfDataBuilder impossible;
  impossible.start_compressed().raw(words({16ull << 48 | 71, ~0ull}));
  for (int i = 0; i < 70; i++) impossible.record(1000, 0, ByteVector(65000));
  impossible.end_compressed();
  std::string text = types(Bytes(impossible.pipe()).subspan(16));
  EXPECT_NE(text.find("of the data holds a record of an impossible size"), std::string::npos)
      << text;
}

// Every byte: a problem, or a cut between two records.
TEST(RecordStream, NoticesEveryCutInCompressedData) {
  PerfDataBuilder perf;
  perf.start_compressed().record(1000, 0, words({1})).record(1001, 0, words({2, 3}));
  perf.end_compressed({.compressed = 9}).record(1002, 0, {});
  ByteVector pipe = perf.pipe();
  Bytes data = Bytes(pipe).subspan(16);
  std::set<size_t> seams;
  for (size_t at = 0; at < data.size(); at += perf_data::load_header(&data[at]).size)
    seams.insert(at);
  ASSERT_GT(seams.size(), 5u);
  for (size_t size = 1; size < data.size(); size++) {
    bool noticed = types(data.first(size)).find('|') != std::string::npos;
    EXPECT_TRUE(noticed || seams.contains(size)) << size;
  }
}

}  // namespace
}  // namespace pgo::test::record_stream_test
