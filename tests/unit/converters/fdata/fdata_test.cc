#include "converters/fdata/fdata.h"

#include <gtest/gtest.h>

#include <string>

namespace pgo::fdata_test {
namespace {

using Kind = FdataLocation::Kind;

Bytes as_bytes(std::string_view text) {
  return Bytes(reinterpret_cast<const uint8_t*>(text.data()), text.size());
}

FdataProfile parsed(std::string_view text) {
  Result<FdataProfile> profile = parse_fdata(as_bytes(text), "app.fdata");
  EXPECT_TRUE(profile.has_value()) << profile.error().message;
  return profile ? *profile : FdataProfile{};
}

std::string error_of(std::string_view text) {
  Result<FdataProfile> profile = parse_fdata(as_bytes(text), "app.fdata");
  return profile ? "no error" : profile.error().message;
}

// As perf2bolt 22 writes it: calls, a branch within a function, an entry from outside.
constexpr std::string_view kBranches =
    "0 [unknown] 0 1 main 0 0 1\n"
    "1 hot 13 1 leaf 0 2 11\n"
    "1 hot 1a 1 hot 4 0 10\n"
    "2 a.c/leaf/1 4 0 [unknown] 0 1 3\n";

TEST(ParseFdata, Branches) {
  FdataProfile profile = parsed(kBranches);
  ASSERT_EQ(profile.branches.size(), 4u);
  EXPECT_EQ(profile.branches[0].from.kind, Kind::kOutside);
  const FdataBranch& call = profile.branches[1];
  EXPECT_EQ(profile.names[call.from.name], "hot");
  EXPECT_EQ(call.from.offset, 0x13u);
  EXPECT_EQ(profile.names[call.to.name], "leaf");
  EXPECT_EQ(call.mispredicts, 2u);
  EXPECT_EQ(call.count, 11u);
  EXPECT_EQ(profile.branches[3].from.kind, Kind::kLocalSymbol);
  EXPECT_EQ(profile.total_count(), 25u);
  EXPECT_EQ(profile.total_mispredicts(), 3u);
  EXPECT_FALSE(profile.bolted_collection);
  EXPECT_FALSE(profile.pc_samples);
}

TEST(ParseFdata, Headers) {
  EXPECT_TRUE(parsed("boltedcollection\n1 a 0 1 b 0 0 1\n").bolted_collection);
  FdataProfile profile = parsed("no_lbr cycles:u instructions\nboltedcollection\n1 a 10 5\n");
  EXPECT_TRUE(profile.pc_samples);
  EXPECT_TRUE(profile.bolted_collection);
  EXPECT_EQ(profile.events, (std::vector<std::string>{"cycles:u", "instructions"}));
  ASSERT_EQ(profile.samples.size(), 1u);
  EXPECT_EQ(profile.samples[0].at.offset, 0x10u);
  EXPECT_EQ(profile.samples[0].count, 5u);
}

TEST(ParseFdata, MemoryAccessesAndNamesWithSpaces) {
  FdataProfile profile =
      parsed("1 operator\\ new(int) 4 1 b 0 0 1\n4 b 10 3 [heap] 7f00 6\n5 f/b/1 4 4 table 8 2\n");
  EXPECT_EQ(profile.names[profile.branches[0].from.name], "operator new(int)");
  ASSERT_EQ(profile.memory.size(), 2u);
  EXPECT_EQ(profile.memory[0].at.kind, Kind::kSymbol);
  EXPECT_EQ(profile.memory[1].at.kind, Kind::kLocalSymbol);
  EXPECT_EQ(profile.memory[0].count, 6u);
}

TEST(ParseFdata, ExactErrors) {
  EXPECT_EQ(error_of(""), "app.fdata: line 0: expected fdata, found an empty file");
  EXPECT_EQ(error_of("main:10:1\n"),
            "app.fdata: line 1: expected 0 to 5, boltedcollection or no_lbr, found 'main:10:1'");
  EXPECT_EQ(error_of("1 a 0 1 b 0 0 1\nno_lbr\n"),
            "app.fdata: line 2: expected 0 to 5, boltedcollection or no_lbr, found 'no_lbr'");
  EXPECT_EQ(error_of("1 a 0 3 b 0 0 1\n"), "app.fdata: line 1: expected 0, 1 or 2, found '3'");
  EXPECT_EQ(error_of("4 a 0 1 b 0 1\n"), "app.fdata: line 1: expected 3, 4 or 5, found '1'");
  EXPECT_EQ(error_of("1 a zz 1 b 0 0 1\n"),
            "app.fdata: line 1: expected an offset (hexadecimal, without 0x), found 'zz'");
  EXPECT_EQ(error_of("1 a 0 1 b 0 0 1\r\n"),
            "app.fdata: line 1: expected a count (decimal), found '1?'");
  EXPECT_EQ(error_of("1 a 0 1 b 0 0 1 1\n"),
            "app.fdata: line 1: expected the end of the line, found '1'");
  EXPECT_EQ(error_of("no_lbr\n1 a 0 1 b 0 0 1\n"),
            "app.fdata: line 2: expected the end of the line, found 'b'");
  EXPECT_EQ(error_of("1 a 0 1 b 0 0"),
            "app.fdata: line 1: expected a count, found the end of the line");
}

TEST(ParseFdata, CutAnywhereItIsAnErrorOrWholeLines) {
  for (size_t size = 1; size <= kBranches.size(); size++) {
    std::string_view cut = kBranches.substr(0, size);
    EXPECT_EQ(parse_fdata(as_bytes(cut), "f").has_value(), cut.back() == '\n') << cut;
  }
}

TEST(HottestFunctions, CountsWhatStartsInAFunction) {
  std::vector<FdataFunction> functions = hottest_functions(parsed(kBranches));
  ASSERT_EQ(functions.size(), 2u);
  EXPECT_EQ(functions[0].name, "hot");
  EXPECT_EQ(functions[0].count, 21u);
  EXPECT_EQ(functions[0].mispredicts, 2u);
  EXPECT_EQ(functions[1].name, "a.c/leaf/1");
  EXPECT_EQ(functions[1].count, 3u);
}

TEST(IsFdata, AsksTheFirstLine) {
  EXPECT_TRUE(is_fdata(as_bytes(kBranches)));
  EXPECT_TRUE(is_fdata(as_bytes("boltedcollection\n")));
  EXPECT_TRUE(is_fdata(as_bytes("no_lbr cycles\n")));
  EXPECT_FALSE(is_fdata(as_bytes("")));
  EXPECT_FALSE(is_fdata(as_bytes("B 10 20 1 0\n")));
  EXPECT_FALSE(is_fdata(as_bytes("main:10:1\n")));
}

// Two names of C++ templates make a line as long as they are.
TEST(IsFdata, ReadsLongLines) {
  const std::string name(300'000, 'x');
  EXPECT_TRUE(is_fdata(as_bytes("1 " + name + " 0 1 " + name + "y 4 0 1\n")));
  EXPECT_FALSE(is_fdata(as_bytes("1 " + name + " 0 1 " + name + "y 4 0\n")));
}

}  // namespace
}  // namespace pgo::fdata_test
