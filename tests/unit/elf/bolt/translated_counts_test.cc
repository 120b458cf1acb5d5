// One function, before and after llvm-bolt, small enough to follow by hand:
//
//   input                                  output
//   1000 A  call g                         400000 A  call g
//   1004    jcc C                          400004    jcc B
//   1008 B  ...                            400008 C  ...
//   100c    ...                            40000c    ...
//   1010    jmp D                          400010 D  ...
//   1014 C  ...                            400014    ...
//   1018    ...                            400018    ret
//   101c D  ...                            500000 B  ...      (two bytes each here)
//   1020    ...                            500002    ...
//   1024    ret                            500004    jmp D    (added)
//
// g (1100: ..., 1104: ret) stays where it is.
#include "pgo/elf/bolt/translated_counts.h"

#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "tests/data/elf_builder.h"

namespace pgo::translated_counts_test {
namespace {

constexpr OptElfAddr kOutside;
constexpr auto kCall = CodeByte::kCall, kOther = CodeByte::kOther, kReturn = CodeByte::kReturn,
               kJump = CodeByte::kDirectJump;

OptElfAddr at(uint64_t addr) { return ElfAddr{addr}; }

struct Instruction {
  uint64_t addr;
  unsigned size;
  CodeByte::Class kind;
};

CodeMap code_map(std::vector<Instruction> code) {
  return CodeMap(ElfAddr{0x1000}, ElfAddr{0x600000}, [code](CodeMap& map, ElfAddr) {
    for (const Instruction& i : code)
      map.set(ElfAddr{i.addr}, CodeByte::instruction(i.size, i.kind));
  });
}

struct Symbol {
  std::string name;
  uint64_t addr, size;
};

// An ELF file whose sections are executable.
struct Image {
  std::vector<uint8_t> bytes;
  std::optional<ElfImage> elf;

  // `text` is what the first section begins with.
  Image(const std::string& name, const std::map<uint64_t, uint64_t>& sections,
        const std::vector<Symbol>& symbols, const std::string& table, const std::string& id,
        std::string text = "") {
    ElfBuilder builder;
    uint16_t first = builder.next_section();
    for (auto [addr, size] : sections) {
      text.resize(size, '\xcc');
      builder.add_section(".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, addr, text);
      text.clear();
    }
    builder.add_build_id(id);
    if (!table.empty()) builder.add_section(".note.bolt_bat", SHT_NOTE, 0, 0, table);
    for (const Symbol& symbol : symbols) {
      uint16_t section = first;
      for (auto [addr, size] : sections) {
        if (symbol.addr - addr < size) break;
        section++;
      }
      builder.add_symbol(symbol.name, STT_FUNC, section, symbol.addr, symbol.size);
    }
    bytes = builder.finish();
    Result<ElfImage> parsed = ElfImage::parse(bytes, name);
    if (parsed) elf.emplace(std::move(*parsed));
  }
};

// As address_translation.h lays it out; ULEB128 numbers below 128 are a byte.
std::string table() {
  std::string t;
  auto add = [&](std::initializer_list<int> bytes) {
    for (int byte : bytes) t += static_cast<char>(byte);
  };
  auto hash = [&] { t.append(8, '\0'); };
  add({1, 0x80, 0x80, 0x80, 0x02}), hash();   // a function at 400000
  add({4, 0, 5, 2, 0b10});                    // 5 entries, 2 of them with equal offsets
  add({0}), hash(), add({0});                 // 0 -> 0
  add({4});                                   // 4 -> 4, a branch
  add({4, 0x1f}), hash(), add({2});           // 8 -> 14: 0x28 - 0x9
  add({8, 0x10}), hash(), add({1});           // 10 -> 1c: 0x38 - 0x28
  add({8, 0x11});                             // 18 -> 24, a branch: 0x49 - 0x38
  add({1, 0xe8, 0xff, 0x3f, 0, 8, 1, 1, 0});  // cold, at 500000, of it, from 8; one entry
  add({0}), hash(), add({1});                 // 0 -> 8
  return ElfBuilder::note("BOLT", 1, t);
}

const std::vector<Instruction> kInputCode = {
    {0x1000, 4, kCall},  {0x1004, 4, kOther},  {0x1008, 4, kOther}, {0x100c, 4, kOther},
    {0x1010, 4, kJump},  {0x1014, 4, kOther},  {0x1018, 4, kOther}, {0x101c, 4, kOther},
    {0x1020, 4, kOther}, {0x1024, 4, kReturn}, {0x1100, 4, kOther}, {0x1104, 1, kReturn}};
const std::vector<Instruction> kBoltedCode = {
    {0x400000, 4, kCall},  {0x400004, 4, kOther}, {0x400008, 4, kOther},  {0x40000c, 4, kOther},
    {0x400010, 4, kOther}, {0x400014, 4, kOther}, {0x400018, 4, kReturn}, {0x500000, 2, kOther},
    {0x500002, 2, kOther}, {0x500004, 5, kJump},  {0x1100, 4, kOther},    {0x1104, 1, kReturn}};

const std::vector<Symbol> kInputSymbols = {{"f", 0x1000, 0x28}, {"g", 0x1100, 5}};
const std::vector<Symbol> kBoltedSymbols = {
    {"f", 0x400000, 0x1c}, {"g", 0x1100, 5}, {"f.cold.0", 0x500000, 9}};
const std::map<uint64_t, uint64_t> kInputSections = {{0x1000, 0x200}};
const std::map<uint64_t, uint64_t> kBoltedSections = {
    {0x1000, 0x200}, {0x400000, 0x100}, {0x500000, 0x100}};

Result<TranslatedCounts> translate(const BinaryCounts& counts,
                                   const std::vector<Symbol>& input_symbols = kInputSymbols,
                                   const std::vector<Symbol>& bolted_symbols = kBoltedSymbols,
                                   const std::string& bolted_id = "12345679") {
  Image input("app", kInputSections, input_symbols, "", "12345678");
  Image bolted("app.bolt", kBoltedSections, bolted_symbols, table(), bolted_id);
  CodeMap bolted_code = code_map(kBoltedCode), input_code = code_map(kInputCode);
  return translate_counts(counts, {&*bolted.elf, &bolted_code}, {&*input.elf, &input_code});
}

std::string dump(const TranslatedCounts& translated) {
  AddressProfile profile;
  profile.binaries.push_back(translated.counts);
  std::ostringstream out;
  profile.dump(out);
  std::string text = out.str();
  return text.substr(0, text.find("samples seen"));
}

std::string translated(BinaryCounts counts) {
  counts.normalize();
  Result<TranslatedCounts> result = translate(counts);
  if (!result) return result.error().message;
  EXPECT_EQ(result->report.check(), std::nullopt);
  return dump(*result);
}

Trace trace(OptElfAddr from, OptElfAddr to, OptElfAddr last, uint64_t count) {
  return {from, to, last, TraceReading::kBoth, count};
}

constexpr char kHeader[] = "binary 3132333435363738 app\n";

TEST(TranslateCounts, BlocksThatWereNotNeighboursGetTheBranchBetweenThem) {
  BinaryCounts counts;
  // g returns into A; A runs into C and that into D, as the input's A jumped to C.
  counts.traces = {trace(at(0x1104), at(0x400004), at(0x400018), 7)};
  EXPECT_EQ(translated(counts), std::string(kHeader) +
                                    "  trace 1004 1014 1024 7\n"
                                    "  trace 1104 1004 1004 7\n");
}

TEST(TranslateCounts, AnAddedJumpIsTheEndOfItsBlock) {
  BinaryCounts counts;
  counts.traces = {trace(at(0x400004), at(0x500000), at(0x500004), 3),
                   trace(at(0x500004), at(0x400010), at(0x400018), 2),
                   trace(at(0x500004), at(0x400010), kOutside, 1)};
  EXPECT_EQ(translated(counts), std::string(kHeader) +
                                    "  trace 1004 1008 1010 3\n"
                                    "  trace 1010 101c 1024 2\n"
                                    "  trace 1010 101c - 1\n");
}

TEST(TranslateCounts, CodeThatStaysAndTheOutside) {
  BinaryCounts counts;
  counts.traces = {trace(at(0x400000), at(0x1100), at(0x1104), 5),
                   trace(kOutside, at(0x400000), at(0x400000), 4),
                   trace(at(0x400018), kOutside, kOutside, 2),
                   {kOutside, at(0x1100), at(0x1104), TraceReading::kLlvm, 1}};
  counts.normalize();
  Result<TranslatedCounts> result = translate(counts);
  ASSERT_TRUE(result);
  EXPECT_EQ(dump(*result), std::string(kHeader) +
                               "  trace 1000 1100 1104 5\n"
                               "  trace 1024 - - 2\n"
                               "  trace - 1000 1000 4\n"
                               "  trace - 1100 1104 1 llvm\n");
  EXPECT_EQ(result->report.seen, 12u);
  EXPECT_EQ(result->report.whole, 12u);
}

TEST(TranslateCounts, MispredictionsFollowTheirBranches) {
  BinaryCounts counts;
  counts.traces = {trace(at(0x400004), at(0x500000), at(0x500004), 6),
                   trace(at(0x500004), at(0x400010), at(0x400018), 6)};
  counts.mispredicts = {{at(0x400004), at(0x500000), 2},
                        {at(0x400018), kOutside, 3},
                        {at(0x400090), at(0x400080), 4}};  // nowhere
  Result<TranslatedCounts> result = translate(counts);
  ASSERT_TRUE(result);
  const std::vector<Mispredict> expected = {{at(0x1004), at(0x1008), 2}, {at(0x1024), kOutside, 3}};
  EXPECT_EQ(result->counts.mispredicts, expected);
  EXPECT_EQ(result->report.seen, 12u) << "of traces only";
}

TEST(TranslateCounts, InstructionsWithinABlockAreCountedNotMeasured) {
  BinaryCounts counts;
  counts.traces = {trace(kOutside, at(0x500002), at(0x500002), 1),
                   trace(kOutside, at(0x400014), at(0x400014), 6)};
  EXPECT_EQ(translated(counts), std::string(kHeader) +
                                    "  trace - 100c 100c 1\n"
                                    "  trace - 1020 1020 6\n");
}

TEST(TranslateCounts, WhatCannotBeTranslatedIsCounted) {
  BinaryCounts counts;
  counts.traces = {trace(at(0x400018), at(0x400010), at(0x500004), 1),   // two fragments
                   trace(at(0x400018), at(0x400014), at(0x400010), 2),   // backwards
                   trace(at(0x400018), at(0x400080), at(0x400084), 4),   // between functions
                   trace(at(0x400090), at(0x400080), at(0x400084), 8)};  // nowhere
  counts.normalize();
  Result<TranslatedCounts> result = translate(counts);
  ASSERT_TRUE(result);
  EXPECT_EQ(dump(*result), std::string(kHeader) +
                               "  trace 1024 101c - 1\n"
                               "  trace 1024 1020 - 2\n"
                               "  trace 1024 - - 4\n");
  EXPECT_EQ(result->report.seen, 15u);
  EXPECT_EQ(result->report.cut, 7u);
  EXPECT_EQ(result->report.dropped, 8u);
  EXPECT_EQ(result->report.check(), std::nullopt);
}

// As for a binary that BOLT has not seen: the branch counts, the code after it does not.
TEST(TranslateCounts, CodeThatCannotHaveRunStraightIsCutAndCounted) {
  BinaryCounts counts;
  counts.traces = {trace(kOutside, at(0x400000), at(0x400004), 1),  // over A's call
                   trace(at(0x400018), at(0x1100), at(0x1110), 2),  // over g's return
                   {kOutside, at(0x400000), at(0x400004), TraceReading::kBolt, 4},
                   trace(kOutside, at(0x400000), at(0x400000), 8)};  // up to the call
  counts.normalize();
  Result<TranslatedCounts> result = translate(counts);
  ASSERT_TRUE(result);
  EXPECT_EQ(dump(*result), std::string(kHeader) +
                               "  trace 1024 1100 - 2\n"
                               "  trace - 1000 1000 8\n"
                               "  trace - 1000 - 1\n"
                               "  trace - 1000 - 4 bolt\n");
  EXPECT_EQ(result->report.broken_ranges, 3u) << "BOLT's reading is none of a compiler's";
  EXPECT_EQ(result->report.cut, 7u);
  EXPECT_EQ(result->report.whole, 8u);
  EXPECT_EQ(result->report.check(), std::nullopt);
}

TEST(TranslateCounts, LocalFunctionsOfOneNameAreToldApartByTheirOrder) {
  BinaryCounts counts;
  counts.traces = {trace(kOutside, at(0x400000), at(0x400000), 1)};
  Result<TranslatedCounts> result =
      translate(counts, {{"f", 0x1100, 5}, {"f", 0x1000, 0x28}},
                {{"f", 0x1100, 5}, {"f", 0x400000, 0x1c}, {"f.cold.0", 0x500000, 9}});
  ASSERT_TRUE(result);
  EXPECT_EQ(dump(*result), std::string(kHeader) + "  trace - 1000 1000 1\n");
}

TEST(TranslateCounts, OfFoldedFunctionsTheLowestCounts) {
  BinaryCounts counts;
  counts.traces = {trace(kOutside, at(0x400000), at(0x400000), 1)};
  Result<TranslatedCounts> result = translate(counts, {{"twin", 0x1080, 0x28}, {"f", 0x1000, 0x28}},
                                              {{"twin", 0x400000, 0x1c}, {"f", 0x400000, 0x1c}});
  ASSERT_TRUE(result);
  EXPECT_EQ(dump(*result), std::string(kHeader) + "  trace - 1000 1000 1\n");
}

// Lone jumps that llvm-bolt made unnecessary:
//
//   input                                  output
//   1000 A  jne C                          400000 A  jne C
//   1002    jmp D                          400002 D  call g
//   1004 C  nop                            400007 E  ret
//   1005    ...                            400008 C  ...
//   1007 D  call g                         40000a    jmp D    (added)
//   100c    jmp E
//   100e    int3
//   100f E  ret
class LoneJumps : public testing::Test {
 protected:
  static constexpr char kText[] =
      "\x75\x02\xeb\x03\x90\x89\xc0\xe8\xf4\x00\x00\x00\xeb\x01\xcc\xc3";

  static std::string table() {
    std::string t;
    auto add = [&](std::initializer_list<int> bytes) {
      for (int byte : bytes) t += static_cast<char>(byte);
    };
    auto hash = [&] { t.append(8, '\0'); };
    add({1, 0x80, 0x80, 0x80, 0x02}), hash(), add({4, 0, 4, 1, 0});  // 4 entries, the first equal
    add({0}), hash(), add({0});                                      // 0 -> 0
    add({2, 0x0e}), hash(), add({2});                                // 2 -> 7
    add({5, 0x10}), hash(), add({1});                                // 7 -> f
    add({1, 0x6a}), hash(), add({0});                                // 8 -> 4: 0x8 - 0x1e
    add({0});
    return ElfBuilder::note("BOLT", 1, t);
  }

  static std::string translated(const std::vector<Trace>& traces) {
    Image input("app", kInputSections, {{"f", 0x1000, 0x10}}, "", "12345678",
                std::string(kText, sizeof kText - 1));
    Image bolted("app.bolt", kBoltedSections, {{"f", 0x400000, 0xc}}, table(), "12345679");
    CodeMap input_code = code_map({{0x1000, 2, kOther},
                                   {0x1002, 2, kJump},
                                   {0x1004, 1, kOther},
                                   {0x1005, 2, kOther},
                                   {0x1007, 5, kCall},
                                   {0x100c, 2, kJump},
                                   {0x100e, 1, kOther},
                                   {0x100f, 1, kReturn},
                                   {0x1104, 1, kReturn}});
    CodeMap bolted_code = code_map({{0x400000, 2, kOther},
                                    {0x400002, 5, kCall},
                                    {0x400007, 1, kReturn},
                                    {0x400008, 2, kOther},
                                    {0x40000a, 2, kJump},
                                    {0x1104, 1, kReturn}});
    BinaryCounts counts;
    counts.traces = traces;
    Result<TranslatedCounts> result =
        translate_counts(counts, {&*bolted.elf, &bolted_code}, {&*input.elf, &input_code});
    return result ? dump(*result) : result.error().message;
  }
};

TEST_F(LoneJumps, BetweenTwoBlocks) {
  EXPECT_EQ(translated({trace(kOutside, at(0x400000), at(0x400002), 3)}),
            std::string(kHeader) +
                "  trace 1000 1002 1002 3 llvm\n"
                "  trace 1002 1007 1007 3\n"
                "  trace - 1000 1000 3\n");
}

TEST_F(LoneJumps, AfterACall) {
  EXPECT_EQ(translated({trace(at(0x1104), at(0x400007), at(0x400007), 2)}),
            std::string(kHeader) +
                "  trace 100c 100f 100f 2\n"
                "  trace 1104 100c 100c 2\n");
}

TEST_F(LoneJumps, AreNotMadeUpWhereTheInputFallsThrough) {
  EXPECT_EQ(translated({trace(at(0x400000), at(0x400008), at(0x40000a), 5),
                        trace(at(0x40000a), at(0x400002), at(0x400002), 5)}),
            std::string(kHeader) +
                "  trace 1000 1004 1005 5\n"
                "  trace 1005 1007 1007 5\n");
}

std::string error_of(const Result<TranslatedCounts>& result) {
  return result ? "no error" : result.error().message;
}

TEST(TranslateCounts, ExactErrors) {
  BinaryCounts counts;
  counts.traces = {trace(at(0x400090), at(0x400080), kOutside, 1)};
  EXPECT_EQ(error_of(translate(counts)),
            "app.bolt: no recorded address could be translated to app: are these the files that "
            "ran and that it was made from?");
  // PC samples give a compiler's profile nothing, wherever they are.
  counts.pc_samples = {{ElfAddr{0x1104}, 1, 10}};
  EXPECT_EQ(error_of(translate(counts)),
            "app.bolt: no recorded address could be translated to app: are these the files that "
            "ran and that it was made from?");
  EXPECT_EQ(error_of(translate(counts, kInputSymbols, kBoltedSymbols, "87654321")),
            "app.bolt: build ID 3837363534333231 is not that of app (3132333435363738) as "
            "llvm-bolt changes it: give the binary that llvm-bolt was run on");
  EXPECT_EQ(error_of(translate(counts, {})),
            "app: names none of the 2 functions that llvm-bolt moved in app.bolt: is one of them "
            "stripped?");
}

TEST(WithoutNewestBranches, LeavesBranchesThatCodeFollows) {
  BinaryCounts counts;
  counts.traces = {
      {at(0x1000), at(0x1010), at(0x1018), TraceReading::kBoth, 31},
      {at(0x1000), at(0x1010), {}, TraceReading::kBoth, 1},
      {at(0x1018), kOutside, {}, TraceReading::kBoth, 5},
      {at(0x1024), at(0x1000), {}, TraceReading::kBoth, 2},
  };
  counts.mispredicts = {
      {at(0x1000), at(0x1010), 32}, {at(0x1018), kOutside, 4}, {at(0x1024), at(0x1000), 1}};
  const BinaryCounts kept = without_newest_branches(counts);
  EXPECT_EQ(kept.traces, (std::vector<Trace>{counts.traces[0], counts.traces[2]}));
  EXPECT_EQ(kept.mispredicts,
            (std::vector<Mispredict>{{at(0x1000), at(0x1010), 31}, {at(0x1018), kOutside, 4}}));
}

// As of a processor that records one branch a sample; and what was inferred from PC samples.
TEST(WithoutNewestBranches, LeavesWhatIsNoStackOfSeveral) {
  BinaryCounts counts;
  counts.traces = {{at(0x1000), at(0x1010), {}, TraceReading::kBoth, 7}};
  EXPECT_EQ(without_newest_branches(counts).traces, counts.traces);
  counts.traces.push_back({at(0x1000), at(0x1010), at(0x1018), TraceReading::kBoth, 7});
  EXPECT_EQ(without_newest_branches(counts).traces.size(), 1u);
  counts.pc_samples = {{ElfAddr{0x1000}, 1, 1}};
  EXPECT_EQ(without_newest_branches(counts).traces, counts.traces);
}

}  // namespace
}  // namespace pgo::translated_counts_test
