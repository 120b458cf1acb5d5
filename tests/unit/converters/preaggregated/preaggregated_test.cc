#include "converters/preaggregated/preaggregated.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>

namespace pgo::preaggregated_test {
namespace {

constexpr OptElfAddr kOutside;

OptElfAddr at(uint64_t addr) { return ElfAddr{addr}; }

Bytes as_bytes(std::string_view text) {
  return Bytes(reinterpret_cast<const uint8_t*>(text.data()), text.size());
}

std::string dump(const BinaryCounts& counts) {
  AddressProfile profile;
  profile.binaries.push_back(counts);
  std::ostringstream out;
  profile.dump(out);
  return out.str();
}

std::string written(BinaryCounts counts) {
  counts.normalize();
  Result<std::string> text = write_preaggregated(counts);
  return text ? *text : "error: " + text.error().message;
}

PreaggregatedProfile parsed(std::string_view text) {
  Result<PreaggregatedProfile> profile = parse_preaggregated(as_bytes(text), "p");
  EXPECT_TRUE(profile.has_value()) << profile.error().message;
  return profile ? *profile : PreaggregatedProfile{};
}

std::string error_of(std::string_view text) {
  Result<PreaggregatedProfile> profile = parse_preaggregated(as_bytes(text), "p");
  return profile ? "no error" : profile.error().message;
}

TEST(WritePreaggregated, TracesBranchesAndOutsideEnds) {
  BinaryCounts counts;
  counts.traces = {{at(0x1010), at(0x1040), at(0x1052), TraceReading::kBoth, 7},
                   {at(0x1010), at(0x1040), kOutside, TraceReading::kBoth, 2},
                   {kOutside, at(0x1000), at(0x1010), TraceReading::kBoth, 3},
                   {at(0x1052), kOutside, kOutside, TraceReading::kBoth, 4}};
  EXPECT_EQ(written(counts),
            "T 1010 1040 1052 7\n"
            "B 1010 1040 2 0\n"
            "B 1052 X:0 4 0\n"
            "T X:0 1000 1010 3\n");
}

TEST(WritePreaggregated, LeavesOutWhatOnlyLlvmSees) {
  BinaryCounts counts;
  counts.traces = {{at(0x10), at(0x20), at(0x30), TraceReading::kBoth, 1},
                   {at(0x10), at(0x20), at(0x30), TraceReading::kLlvm, 10},
                   {at(0x10), at(0x20), at(0x30), TraceReading::kBolt, 100},
                   {at(0x40), at(0x50), at(0x60), TraceReading::kLlvm, 5}};
  counts.mispredicts = {{at(0x40), at(0x50), 5}};
  EXPECT_EQ(written(counts), "T 10 20 30 101\n");
}

TEST(WritePreaggregated, MispredictionsStandInTheBranchRecord) {
  BinaryCounts counts;
  counts.traces = {{at(0x10), at(0x20), at(0x30), TraceReading::kBoth, 9},
                   {at(0x40), at(0x50), at(0x60), TraceReading::kBoth, 3},
                   {at(0x40), at(0x50), kOutside, TraceReading::kBoth, 4}};
  counts.mispredicts = {{at(0x10), at(0x20), 6}, {at(0x18), at(0x50), 1}, {at(0x40), at(0x50), 2}};
  EXPECT_EQ(written(counts),
            "T 10 20 30 9\n"
            "B 10 20 0 6\n"
            "T 40 50 60 3\n"
            "B 40 50 4 2\n");
}

TEST(WritePreaggregated, CountsStopAtTheLargestSignedNumber) {
  BinaryCounts counts;
  counts.traces = {{at(0x10), at(0x20), at(0x30), TraceReading::kBoth, ~uint64_t{0}}};
  EXPECT_EQ(written(counts), "T 10 20 30 9223372036854775807\n");
}

TEST(WritePreaggregated, NothingToWriteIsAnError) {
  BinaryCounts counts;
  counts.path_hint = "/bin/server";
  counts.traces = {{at(0x10), at(0x20), at(0x30), TraceReading::kLlvm, 1}};
  counts.pc_samples = {{ElfAddr{0x10}, 1, 1}};
  Result<std::string> text = write_preaggregated(counts);
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error(),
            (Error{ErrorKind::kEmpty,
                   "preagg: no branch record is left to write for /bin/server: was it recorded "
                   "with branch records (perf record -b)?"}));
}

TEST(ParsePreaggregated, ReadsBackWhatIsWritten) {
  BinaryCounts counts;
  counts.traces = {{at(0x1010), at(0x1040), at(0x1052), TraceReading::kBoth, 7},
                   {at(0x1010), at(0x1040), kOutside, TraceReading::kBoth, 2},
                   {kOutside, at(0x1000), at(0x1010), TraceReading::kBoth, 3},
                   {at(0x1052), kOutside, kOutside, TraceReading::kBoth, 4},
                   {at(0x1090), at(0x1040), at(0x1052), TraceReading::kBoth, 1}};
  counts.mispredicts = {{at(0x1010), at(0x1040), 6}, {at(0x1090), at(0x1040), 1}};
  counts.normalize();
  std::string text = written(counts);
  PreaggregatedProfile profile = parsed(text);
  EXPECT_EQ(dump(profile.counts), dump(counts));
  EXPECT_EQ(written(profile.counts), text);
}

TEST(ParsePreaggregated, EveryKindOfRecord) {
  PreaggregatedProfile profile = parsed(
      "E cycles\n"
      "T abcd:10 20 30 5\n"
      "R 0 24 30 6\n"
      "T 10 20 ffffffffffffffff 2\n"
      "F 40 48 1\n"
      "f  41   48   2\n"
      "r 42 48 4\n"
      "B X:7f0012 50 8 3\n"
      "S 60 9\n"
      "S 0 2\n"
      "S X:7f0012 3\n");
  EXPECT_EQ(dump(profile.counts),
            "binary abcd \n"
            "  trace 10 20 30 5\n"
            "  trace 10 20 - 2\n"
            "  trace - 24 30 6\n"
            "  trace - 40 48 1\n"
            "  trace - 41 48 2\n"
            "  trace - 42 48 4\n"
            "  trace - 50 - 8\n"
            "  mispredict - 50 3\n"
            "  pc 60 samples 9 weight 9\n"
            "samples seen 0 used 0\n"
            "branches seen 0 used 0\n");
  EXPECT_EQ(profile.events, std::vector<std::string>{"cycles"});
  EXPECT_EQ(profile.records, 11u);
  EXPECT_EQ(profile.loose_fall_throughs, 7u);
  EXPECT_EQ(profile.outside_samples, 5u);
}

TEST(ParsePreaggregated, ExactErrors) {
  EXPECT_EQ(error_of("T 1 2 3 4\nQ 1 2 3\n"),
            "p: line 2: expected T, R, S, E, B, F, f or r, found 'Q'");
  EXPECT_EQ(error_of("T 1 2 3 4\n\n"),
            "p: line 2: expected T, R, S, E, B, F, f or r, found the end of the line");
  EXPECT_EQ(error_of("T 1 0x2 3 4\n"),
            "p: line 1: expected an address (hexadecimal, without 0x), found '0x2'");
  EXPECT_EQ(error_of("T 1 2 3\n"), "p: line 1: expected a count, found the end of the line");
  EXPECT_EQ(error_of("T 1 2 3 -1\n"), "p: line 1: expected a count (decimal), found '-1'");
  EXPECT_EQ(error_of("B 1 2 9223372036854775808 0\n"),
            "p: line 1: expected a count (decimal), found '9223372036854775808'");
  EXPECT_EQ(error_of("B 1 2 3\n"),
            "p: line 1: expected a count of mispredictions, found the end of the line");
  EXPECT_EQ(error_of("T 1 2 3 4 5\n"), "p: line 1: expected the end of the line, found '5'");
  EXPECT_EQ(error_of("T 1 2 3 4"),
            "p: line 1: the last line has no newline: is the file cut short?");
  EXPECT_EQ(error_of("T server:1 2 3 4\n"),
            "p: line 1: expected X or a build ID before ':', found 'server'");
  EXPECT_EQ(error_of("T 0123456789abcdef:1 2 3 4\nS ffff456789abcdef:1 2\n"),
            "p: line 2: build ID ffff456789abcdef, but an earlier line has 0123456789abcdef: "
            "counts of one binary only are expected");
  EXPECT_EQ(error_of(std::string(60, 'x') + "\n"),
            "p: line 1: expected T, R, S, E, B, F, f or r, found "
            "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...'");
}

TEST(ParsePreaggregated, CutAnywhereItIsAnErrorOrWholeLines) {
  std::string text = "T 10 20 30 5\nB 10 X:0 12 3\nS 60 9\n";
  for (size_t size = 0; size <= text.size(); size++) {
    std::string_view cut = std::string_view(text).substr(0, size);
    bool whole = cut.empty() || cut.back() == '\n';
    EXPECT_EQ(parse_preaggregated(as_bytes(cut), "p").has_value(), whole) << cut;
  }
}

TEST(IsPreaggregated, AsksTheFirstLine) {
  EXPECT_TRUE(is_preaggregated(as_bytes("B 10 20 1 0\nnonsense")));
  EXPECT_TRUE(is_preaggregated(as_bytes("E cycles:u\n")));
  EXPECT_FALSE(is_preaggregated(as_bytes("")));
  EXPECT_FALSE(is_preaggregated(as_bytes("main:10:20\n")));
  EXPECT_FALSE(is_preaggregated(as_bytes("1 main 13 1 leaf 0 0 11\n")));
}

}  // namespace
}  // namespace pgo::preaggregated_test
