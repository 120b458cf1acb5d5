#include "converters/gperftools/gperftools_cpu.h"

#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "tests/data/byte_writer.h"

namespace pgo::gperftools_cpu_test {
namespace {

using test::ByteVector;

// Words of a size and order, then text.
ByteVector words(const std::vector<uint64_t>& all, const std::string& maps, size_t size = 8,
                 bool is_big_endian = false) {
  ByteVector out;
  for (uint64_t word : all)
    for (size_t i = 0; i < size; i++)
      out.push_back(static_cast<uint8_t>(word >> (8 * (is_big_endian ? size - 1 - i : i))));
  test::put_bytes(out, maps);
  return out;
}

const std::vector<uint64_t> kWords{0, 3, 0,        10000,    0,         // 10 ms
                                   2, 3, 0x401000, 0x401050, 0x401100,  //
                                   1, 1, 0x7f0010,                      //
                                   0, 1, 0};
const std::string kMaps =
    "build=x\n"
    "007f0000-007f1000 r-xp 00001000 08:01 7  /lib/libc.so.6\n"
    "00400000-00402000 r-xp 00000000 08:01 5                  /bin/a b\n"
    "00402000-00403000 rw-p 00002000 08:01 5                  /bin/a b\n";

std::string read(const ByteVector& bytes, Diagnostics* diagnostics = nullptr) {
  Diagnostics own;
  Result<StackProfile> profile =
      parse_gperftools_cpu(bytes, "p", diagnostics != nullptr ? *diagnostics : own);
  if (!profile) return "error: " + profile.error().message;
  profile->normalize();
  EXPECT_EQ(profile->check(), std::nullopt);
  std::ostringstream out;
  profile->dump(out);
  return out.str();
}

constexpr const char* kDump =
    "types samples/count cpu/nanoseconds\n"
    "period 10000000 cpu/nanoseconds\n"
    "time 0 duration 0\n"
    "mapping 400000 402000 0 /bin/a b \n"
    "mapping 7f0000 7f1000 1000 /lib/libc.so.6 \n"
    "sample 2 20000000\n"
    "    401000 in /bin/a b\n"
    "    40104f in /bin/a b\n"
    "    4010ff in /bin/a b\n"
    "sample 1 10000000\n"
    "    7f0010 in /lib/libc.so.6\n";

TEST(GperftoolsCpu, ReadsWordsOfEitherSizeAndOrder) {
  for (size_t size : {size_t{4}, size_t{8}})
    for (bool is_big_endian : {false, true}) {
      ByteVector bytes = words(kWords, kMaps, size, is_big_endian);
      EXPECT_TRUE(is_gperftools_cpu(bytes));
      EXPECT_EQ(read(bytes), kDump) << size << is_big_endian;
    }
}

// Of 40 samples, all have one caller next to the leaf, which is the signal handler's.
TEST(GperftoolsCpu, DropsFramesOfTheSignalHandler) {
  std::vector<uint64_t> all{0, 3, 0, 10000, 0};
  for (uint64_t i = 0; i < 40; i++)
    for (uint64_t word : {uint64_t{1}, uint64_t{4}, 0x401000 + i, uint64_t{0x500000}, 0x401000 + i,
                          uint64_t{0x401800}})
      all.push_back(word);
  for (uint64_t word : {uint64_t{0}, uint64_t{1}, uint64_t{0}}) all.push_back(word);
  std::string dump = read(words(all, kMaps));
  EXPECT_EQ(dump.find("4fffff"), std::string::npos);
  // What follows repeats the leaf, and goes as well.
  EXPECT_NE(dump.find("sample 1 10000000\n    401000 in /bin/a b\n    4017ff in /bin/a b\nsample"),
            std::string::npos)
      << dump;
}

TEST(GperftoolsCpu, TakesTheFirstOfMappingsThatOverlap) {
  std::vector<uint64_t> all{0, 3, 0, 10000, 0};
  for (uint64_t address : {0xfffu, 0x1000u, 0x1fffu, 0x2000u, 0x2fffu, 0x3000u, 0x3fffu, 0x4000u})
    all.insert(all.end(), {1, 1, address});
  all.insert(all.end(), {0, 1, 0});
  std::string dump = read(words(all,
                                "2000-3000 r-xp 00000000 08:01 5 /bin/a\n"
                                "1000-4000 r-xp 00000000 08:01 6 /lib/b.so\n"
                                "1000-2000 r-xp 00000000 08:01 7 /lib/c.so\n"));
  for (const char* line :
       {"    1000 in /lib/b.so\n", "    1fff in /lib/b.so\n", "    2000 in /bin/a\n",
        "    2fff in /bin/a\n", "    3000 in /lib/b.so\n", "    3fff in /lib/b.so\n"})
    EXPECT_NE(dump.find(line), std::string::npos) << line << dump;
  for (const char* outside : {"    fff in", "    4000 in", "/lib/c.so\nsample"})
    EXPECT_EQ(dump.find(outside), std::string::npos) << outside << dump;
}

TEST(GperftoolsCpu, TellsWhatIsMissing) {
  Diagnostics diagnostics;
  std::vector<uint64_t> cut(kWords.begin(), kWords.end() - 3);
  EXPECT_TRUE(read(words(cut, ""), &diagnostics).starts_with("types"));
  EXPECT_EQ(diagnostics.entries().at("no-trailer").messages[0],
            "p: gperftools CPU profile: does not end with its trailer; was the program stopped "
            "while it wrote?");
  EXPECT_EQ(
      diagnostics.entries().at("no-maps").messages[0],
      "p: gperftools CPU profile: has no list of mappings, so its addresses belong to no file");
}

TEST(GperftoolsCpu, SaysWhatIsWrong) {
  EXPECT_EQ(read(words({0, 3, 0, 0, 0}, "")),
            "error: p: gperftools CPU profile: does not begin with the words 0, 3, 0, a period, 0");
  EXPECT_EQ(read(words({0, 3, 0, 10000, 0, 1, 9, 1}, "")),
            "error: p: gperftools CPU profile: byte 48: a stack of 9 addresses, but only 1 words "
            "are left");
  EXPECT_EQ(read(words({0, 3, 0, 10000, 0, 1}, "")),
            "error: p: gperftools CPU profile: byte 40: a record is cut short");
  EXPECT_EQ(read(words({0, 3, 0, 2000000000, 0}, "")),
            "error: p: gperftools CPU profile: byte 24: a sampling period of 2000000000 "
            "microseconds; the limit is 1000 s");
  EXPECT_EQ(read(words({0, 3, 0, 10000, 0, ~uint64_t{0}, 0}, "")),
            "error: p: gperftools CPU profile: byte 56: a count of 18446744073709551615");
}

TEST(GperftoolsCpu, TruncationAtEveryByte) {
  ByteVector bytes = words(kWords, "");
  for (size_t size = 0; size < bytes.size(); size++) {
    Diagnostics diagnostics;
    std::string cut =
        read(ByteVector(bytes.begin(), bytes.begin() + static_cast<long>(size)), &diagnostics);
    EXPECT_TRUE(cut.starts_with("error: p: ") || diagnostics.entries().contains("no-trailer"))
        << size << cut;
  }
}

// Cut anywhere in its maps, a profile reads as if it were whole only where nothing of use is lost.
TEST(GperftoolsCpu, TruncationOfMapsAtEveryByte) {
  ByteVector bytes = words(kWords, kMaps);
  Diagnostics whole;
  EXPECT_EQ(read(bytes, &whole), kDump);
  EXPECT_EQ(whole, Diagnostics());
  std::map<std::string, int> kinds;
  for (size_t size = bytes.size() - kMaps.size(); size < bytes.size(); size++) {
    Diagnostics diagnostics;
    std::string cut =
        read(ByteVector(bytes.begin(), bytes.begin() + static_cast<long>(size)), &diagnostics);
    EXPECT_TRUE(diagnostics.entries().size() > 0 || cut == kDump) << size << cut;
    for (const auto& [kind, entry] : diagnostics.entries()) kinds[kind]++;
  }
  // Where only the line of data is missing, nothing is said: four cuts are at an end of a line, of
  // which two leave no maps.
  EXPECT_EQ(kinds["cut-short"], static_cast<int>(kMaps.size()) - 4);
  EXPECT_GT(kinds["outside-maps"], 0);
  EXPECT_GT(kinds["no-maps"], 0);
}

TEST(GperftoolsCpu, SaysThatMapsAreCutShort) {
  Diagnostics diagnostics;
  read(words(kWords, kMaps.substr(0, kMaps.find("00400000") + 4)), &diagnostics);
  EXPECT_EQ(diagnostics.entries().at("cut-short").messages,
            std::vector<std::string>{
                "p: gperftools CPU profile: the last line of its maps does not end with a newline: "
                "was the file cut short?"});
  EXPECT_EQ(diagnostics.entries().at("outside-maps").messages,
            std::vector<std::string>{
                "p: gperftools CPU profile: 1 of 2 stacks have an address that its maps do not "
                "list: were the maps cut short, or was a library unloaded?"});
}

TEST(GperftoolsCpu, SaysThatTimeDoesNotFit) {
  std::vector<uint64_t> all = kWords;
  all[5] = uint64_t{1} << 53;
  Diagnostics diagnostics;
  std::string dump = read(words(all, kMaps), &diagnostics);
  EXPECT_NE(dump.find("sample 9007199254740992 9223372036854775807\n"), std::string::npos) << dump;
  EXPECT_EQ(diagnostics.entries().at("stopped-counts").messages,
            std::vector<std::string>{
                "p: gperftools CPU profile: the time of 1 of 2 stacks does not fit 64 bits, and "
                "stops at 292 years: are the counts damaged?"});
}

}  // namespace
}  // namespace pgo::gperftools_cpu_test
