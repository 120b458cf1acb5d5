#include "converters/pprof/pprof_reader.h"

#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <sstream>

#include "converters/pprof/pprof_writer.h"

namespace pgo::pprof_reader_test {
namespace {

Bytes as_bytes(std::string_view text) {
  return Bytes(reinterpret_cast<const uint8_t*>(text.data()), text.size());
}

// The wire, field by field.
std::string varint(uint64_t value) {
  std::string out;
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  return out + static_cast<char>(value);
}
std::string num(unsigned field, uint64_t value) { return varint(field << 3) + varint(value); }
std::string sub(unsigned field, const std::string& bytes) {
  return varint(field << 3 | 2) + varint(bytes.size()) + bytes;
}
std::string strings(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts) out += sub(6, text);
  return out;
}

const std::string kTypes = sub(1, num(1, 1) + num(2, 2));
const std::string kStrings =
    strings({"", "samples", "count", "main", "work", "/bin/a", "c0ffee00c0ffee00", "key", "value"});
const std::string kMapping =
    sub(3, num(1, 1) + num(2, 0x1000) + num(3, 0x2000) + num(5, 5) + num(6, 6) + num(7, 1));
const std::string kFunctions = sub(5, num(1, 1) + num(2, 3)) + sub(5, num(1, 2) + num(2, 4));
const std::string kLocations =
    sub(4, num(1, 1) + num(2, 1) + num(3, 0x1010) + sub(4, num(1, 1) + num(2, 10))) +
    sub(4, num(1, 2) + num(2, 1) + num(3, 0x1020) + sub(4, num(1, 2) + num(2, 20)));
const std::string kSample = sub(2, sub(1, varint(2) + varint(1)) + sub(2, varint(5)));
const std::string kWhole = kTypes + kSample + kMapping + kLocations + kFunctions + kStrings;

constexpr const char* kDump =
    "types samples/count\n"
    "period 0 /\n"
    "time 0 duration 0\n"
    "mapping 1000 2000 0 /bin/a c0ffee00c0ffee00 functions\n"
    "function main  :0\n"
    "function work  :0\n"
    "sample 5\n"
    "    1020 in /bin/a: work:20\n"
    "    1010 in /bin/a: main:10\n";

std::string read(const std::string& message, Diagnostics* diagnostics = nullptr) {
  Diagnostics own;
  Result<StackProfile> profile =
      parse_pprof(as_bytes(message), "p", diagnostics != nullptr ? *diagnostics : own);
  if (!profile) return "error: " + profile.error().message;
  profile->normalize();
  EXPECT_EQ(profile->check(), std::nullopt);
  std::ostringstream out;
  profile->dump(out);
  return out.str();
}

TEST(ParsePprof, ReadsAMessage) {
  EXPECT_EQ(read(kWhole), kDump);
  EXPECT_TRUE(is_pprof(as_bytes(kWhole)));
}

TEST(ParsePprof, FieldsInAnyOrderUnpackedAndUnknown) {
  std::string sample = sub(2, num(1, 2) + num(2, 5) + num(1, 1) + num(77, 1));
  EXPECT_EQ(read(kStrings + kFunctions + kLocations + sub(99, "x") + sample + kMapping + kTypes +
                 varint(50 << 3 | 1) + "12345678" + varint(51 << 3 | 5) + "1234"),
            kDump);
  EXPECT_EQ(read(kTypes + kSample + sub(6, "") + kSample + kLocations + kMapping + kFunctions +
                 kStrings.substr(2)),
            std::string(kDump).replace(std::string(kDump).find("sample 5"), 8, "sample 10"));
}

TEST(ParsePprof, IdsMayBeAnyNumbers) {
  constexpr uint64_t kHuge = 0xfedcba9876543210;
  std::string message =
      kTypes + sub(2, sub(1, varint(kHuge + 2) + varint(kHuge + 1)) + num(2, 5)) +
      sub(3, num(1, kHuge) + num(2, 0x1000) + num(3, 0x2000) + num(5, 5) + num(6, 6) + num(7, 1)) +
      sub(4,
          num(1, kHuge + 1) + num(2, kHuge) + num(3, 0x1010) + sub(4, num(1, 900) + num(2, 10))) +
      sub(4,
          num(1, kHuge + 2) + num(2, kHuge) + num(3, 0x1020) + sub(4, num(1, kHuge) + num(2, 20))) +
      sub(5, num(1, 900) + num(2, 3)) + sub(5, num(1, kHuge) + num(2, 4)) + kStrings;
  EXPECT_EQ(read(message), kDump);
}

TEST(ParsePprof, HeaderAndLabels) {
  std::string label = sub(3, num(1, 7) + num(2, 8)) + sub(3, num(1, 7) + num(3, 64) + num(4, 2)) +
                      sub(3, num(1, 7)) + sub(3, num(1, 7) + num(4, 1));
  EXPECT_EQ(read(kTypes + sub(2, num(2, ~uint64_t{0}) + label) + kStrings + num(7, 3) + num(8, 4) +
                 num(9, 1000) + num(10, 60) + sub(11, num(1, 1) + num(2, 2)) + num(12, 10) +
                 sub(13, varint(8) + varint(7)) + num(13, 3) + num(14, 1) + num(15, 5)),
            "types samples/count\n"
            "period 10 samples/count\n"
            "time 1000 duration 60\n"
            "comment key\n"
            "comment main\n"
            "comment value\n"
            "default samples\n"
            "url /bin/a\n"
            "drop main\n"
            "keep work\n"
            "sample -1 key=\"value\" key=64count key=0samples\n");
}

TEST(ParsePprof, RefusesWhatGooglesReaderRefuses) {
  EXPECT_EQ(read(""), "error: p: pprof: is empty");
  EXPECT_EQ(read(kTypes), "error: p: pprof: there is no string table");
  EXPECT_EQ(read(kTypes + strings({"x"})), "error: p: pprof: string 0 is not empty");
  EXPECT_EQ(read(kSample + kLocations + kMapping + kFunctions + kStrings),
            "error: p: pprof: there are samples, but no sample types");
  EXPECT_EQ(read(kTypes + kTypes + kSample + kMapping + kLocations + kFunctions + kStrings),
            "error: p: pprof: sample 0: there are 1 values for 2 sample types");
  EXPECT_EQ(read(kTypes + kSample + kMapping + kFunctions + kStrings),
            "error: p: pprof: sample 0: location 2 is not in the profile");
  EXPECT_EQ(read(kTypes + kSample + kLocations + kMapping + kStrings),
            "error: p: pprof: location 0: a line names function 1, which is not in the profile");
  EXPECT_EQ(read(kTypes + sub(4, num(1, 1) + sub(4, "")) + kStrings),
            "error: p: pprof: location 0: a line names function 0, which is not in the profile");
  for (auto [field, name] : {std::pair{3u, "mapping"}, {4u, "location"}, {5u, "function"}}) {
    EXPECT_EQ(read(kTypes + sub(field, "") + kStrings),
              "error: p: pprof: " + std::string(name) + " 0: its id is 0");
    EXPECT_EQ(read(kTypes + sub(field, num(1, 5)) + sub(field, num(1, 5)) + kStrings),
              "error: p: pprof: " + std::string(name) + " 1: its id 5 is used before");
  }
  EXPECT_EQ(read(kTypes + sub(5, num(1, 1) + num(2, 9)) + kStrings),
            "error: p: pprof: function 0: there is no string 9, only 9");
  EXPECT_EQ(read(kTypes + kStrings + num(14, 70)),
            "error: p: pprof: header field 14: there is no string 70, only 9");
}

// Two bytes, or one, make each.
TEST(ParsePprof, RefusesMoreThingsThanProfilesHave) {
  std::string types, comments;
  for (int i = 0; i < 1024; i++) types += sub(1, "");
  EXPECT_EQ(read(types + kStrings).substr(0, 8), "types / ");
  EXPECT_EQ(read(types + sub(1, "") + kStrings),
            "error: p: pprof: there are more than 1024 sample types");
  EXPECT_EQ(read(kTypes + kStrings + sub(13, std::string(65536, '\1'))).substr(0, 5), "types");
  EXPECT_EQ(read(kTypes + kStrings + sub(13, std::string(65537, '\1'))),
            "error: p: pprof: there are more than 65536 comments");
}

TEST(ParsePprof, RefusesNamesThatAreReferredToWithoutEnd) {
  auto with_functions = [](unsigned count) {
    std::string message = kTypes + kStrings + sub(6, std::string(1 << 16, 'n'));
    for (unsigned i = 1; i <= count; i++) message += sub(5, num(1, i) + num(2, 9));
    return read(message);
  };
  EXPECT_EQ(with_functions(32), "types samples/count\nperiod 0 /\ntime 0 duration 0\n");
  EXPECT_EQ(with_functions(40),
            "error: p: pprof: function 32: its names are referred to so often that they would take "
            "more than 16 times the size of the profile");
}

TEST(ParsePprof, RefusesWrongWireTypes) {
  EXPECT_EQ(read(num(1, 3)), "error: p: pprof: field 1, at byte 0, has wire type 0");
  EXPECT_EQ(read(kTypes + sub(9, "")), "error: p: pprof: field 9, at byte 6, has wire type 2");
  EXPECT_EQ(read(kTypes + kStrings + sub(4, sub(3, ""))),
            "error: p: pprof: location 0: field 3 has wire type 2");
  EXPECT_EQ(read(kTypes + sub(2, num(3, 3)) + kStrings),
            "error: p: pprof: sample 0: field 3 has wire type 0");
  EXPECT_EQ(read("\x0b"), "error: p: pprof: there is no such wire type, at byte 0");
}

TEST(ParsePprof, TellsProfilesApartThatFollowOneAnother) {
  std::string timed = kWhole + num(9, 1000);
  EXPECT_EQ(read(timed + timed), "error: p: pprof: another profile begins before byte " +
                                     std::to_string(2 * timed.size() - 3) +
                                     ": profiles were put one after another into one file; give "
                                     "each its own");
  EXPECT_EQ(read(kWhole + kWhole),
            "error: p: pprof: mapping 1: its id 1 is used before; were profiles put one after "
            "another into one file?");
}

TEST(ParsePprof, AMappingThatIsNotThereIsNone) {
  Diagnostics diagnostics;
  EXPECT_EQ(read(kTypes + sub(2, num(1, 1) + num(2, 5)) + sub(4, num(1, 1) + num(2, 3)) + kStrings,
                 &diagnostics),
            "types samples/count\nperiod 0 /\ntime 0 duration 0\nsample 5\n    0\n");
  EXPECT_EQ(diagnostics.entries().at("unknown-mapping").count, 1u);
}

// A message cut at any byte is an error, but for the last two strings, which nothing needs.
TEST(ParsePprof, TruncationAtEveryByte) {
  for (size_t size = 0; size < kWhole.size(); size++) {
    std::string cut = read(kWhole.substr(0, size));
    if (size == kWhole.size() - 7 || size == kWhole.size() - 12)
      EXPECT_EQ(cut, kDump);
    else
      EXPECT_TRUE(cut.starts_with("error: p: pprof: ")) << size << ": " << cut;
  }
}

// What is written is read back as it was; many kinds of profiles, chosen by chance.
TEST(WritePprof, ReadGivesBackWhatWasWritten) {
  for (unsigned seed = 0; seed < 200; seed++) {
    std::mt19937 random(seed);
    auto below = [&](unsigned n) { return static_cast<uint32_t>(random() % n); };
    StackProfile profile;
    std::vector<StringId> texts{kEmptyString};
    for (int i = 0; i < 12; i++)
      texts.push_back(profile.strings.add(std::string(below(4), 'a') + static_cast<char>('b' + i)));
    auto text = [&] { return texts[below(13)]; };
    auto number = [&] {
      return static_cast<int64_t>((uint64_t{random()} << 32 | random()) >> below(64));
    };
    for (uint32_t i = 0; i < 1 + below(3); i++) profile.sample_types.push_back({text(), text()});
    for (int i = 0; i < 3; i++)
      profile.add_mapping({text(), text(), RuntimeAddr{random()}, RuntimeAddr{random()},
                           FileOffset{random()}, below(2) == 0, below(2) == 0, below(2) == 0,
                           below(2) == 0});
    for (int i = 0; i < 5; i++) profile.add_function({text(), text(), text(), number()});
    for (int i = 0; i < 8; i++) {
      std::vector<StackLine> lines(below(4));
      for (StackLine& line : lines) line = {FunctionId{below(5)}, number(), number()};
      profile.add_location(
          {below(4) == 0 ? kNoMapping : MappingId{below(3)}, RuntimeAddr{random()}, below(2) == 0},
          lines);
    }
    for (uint32_t i = 0; i < below(9); i++) {
      std::vector<LocationId> stack(below(5));
      for (LocationId& location : stack) location = LocationId{below(8)};
      std::vector<StackLabel> labels;
      for (uint32_t label = 0; label < below(4); label++)
        labels.push_back(below(2) == 0 ? StackLabel{text(), {}, text(), number() | 1}
                                       : StackLabel{text(), texts[1 + below(12)], {}, 0});
      std::vector<int64_t> values(profile.sample_types.size());
      for (int64_t& value : values) value = number() >> 8;
      profile.add_sample({profile.add_stack(stack), profile.add_labels(labels)}, values);
    }
    profile.period_type = {text(), text()};
    profile.period = number(), profile.time = number(), profile.duration = number();
    profile.comments = {text(), text()};
    profile.doc_url = text(), profile.default_sample_type = text();
    profile.drop_frames = text(), profile.keep_frames = text();
    profile.normalize();
    ASSERT_EQ(profile.check(), std::nullopt);
    std::string message = write_pprof(profile);
    Diagnostics diagnostics;
    Result<StackProfile> again = parse_pprof(as_bytes(message), "p", diagnostics);
    ASSERT_TRUE(again.has_value()) << again.error().message;
    again->normalize();
    EXPECT_EQ(*again, profile) << seed;
    EXPECT_EQ(write_pprof(*again), message) << seed;
  }
}

TEST(WritePprof, BytesAreWhatTheLayoutSays) {
  Diagnostics diagnostics;
  Result<StackProfile> profile = parse_pprof(as_bytes(kWhole), "p", diagnostics);
  profile->normalize();
  EXPECT_EQ(
      write_pprof(*profile),
      sub(1, num(1, 5) + num(2, 3)) + sub(2, sub(1, varint(2) + varint(1)) + sub(2, varint(5))) +
          sub(3, num(1, 1) + num(2, 0x1000) + num(3, 0x2000) + num(5, 1) + num(6, 2) + num(7, 1)) +
          kLocations + sub(5, num(1, 1) + num(2, 4)) + sub(5, num(1, 2) + num(2, 6)) +
          strings({"", "/bin/a", "c0ffee00c0ffee00", "count", "main", "samples", "work"}));
}

TEST(ForGo, LeavesOutWhatGoDoesNotNeed) {
  std::string labelled =
      sub(2, sub(1, varint(2) + varint(1)) + num(2, 7) + sub(3, num(1, 7) + num(2, 8)));
  std::string functions =
      sub(5, num(1, 1) + num(2, 3) + num(5, 8)) + sub(5, num(1, 2) + num(2, 4) + num(5, 18));
  Diagnostics diagnostics;
  Result<StackProfile> profile =
      parse_pprof(as_bytes(kTypes + kSample + labelled + kMapping + kLocations + functions +
                           kStrings + num(9, 1000) + num(13, 8)),
                  "p", diagnostics);
  profile->normalize();
  Result<StackProfile> slim = for_go(*profile, diagnostics);
  ASSERT_TRUE(slim.has_value()) << slim.error().message;
  std::ostringstream out;
  slim->dump(out);
  EXPECT_EQ(out.str(),
            "types samples/count\n"
            "period 0 /\n"
            "time 0 duration 0\n"
            "mapping 1000 2000 0 /bin/a c0ffee00c0ffee00 functions\n"
            "function main  :8\n"
            "function work  :18\n"
            "sample 12\n"
            "    1020 in /bin/a: work:20\n"
            "    1010 in /bin/a: main:10\n");
}

TEST(ForGo, RefusesWhatGoWouldNotUse) {
  Diagnostics diagnostics;
  Result<StackProfile> no_lines = parse_pprof(as_bytes(kWhole), "p", diagnostics);
  EXPECT_EQ(
      for_go(*no_lines, diagnostics).error().message,
      "go: no function has a start line, without which Go's compiler cannot place lines; take "
      "CPU profiles of programs built by Go 1.20 or later");
  StackProfile heap;
  heap.sample_types = {{heap.strings.add("inuse_space"), heap.strings.add("bytes")}};
  EXPECT_EQ(for_go(heap, diagnostics).error().message,
            "go: the profile counts neither samples/count nor cpu/nanoseconds, and Go's compiler "
            "uses no others; take CPU profiles");
}

TEST(ForGo, SaysWhichNegativeValuesAreLeftOut) {
  StackProfile profile;
  auto text = [&](const char* name) { return profile.strings.add(name); };
  profile.sample_types = {{text("samples"), text("count")}, {text("cpu"), text("nanoseconds")}};
  auto add = [&](const char* name, int64_t count, int64_t time) {
    FunctionId function = profile.add_function({text(name), {}, {}, 7});
    profile.add_sample(
        {profile.add_stack({profile.add_location({}, {{function, 8, 0}})}), profile.add_labels({})},
        {count, time});
  };
  add("less", -3, -30);
  add("less_time", 1, -1);
  profile.normalize();
  Diagnostics diagnostics;
  EXPECT_EQ(for_go(profile, diagnostics).error().message,
            "go: there are only 2 samples with negative values (-2 in all, of "
            "samples/count); is the input a difference of profiles?");
  add("more", 4, 40);
  profile.normalize();
  Result<StackProfile> slim = for_go(profile, diagnostics);
  ASSERT_TRUE(slim.has_value()) << slim.error().message;
  EXPECT_EQ(slim->values, (std::vector<int64_t>{4, 40}));
  EXPECT_EQ(slim->functions.size(), 1u);
  EXPECT_EQ(diagnostics.entries().at("negative-values").messages,
            std::vector<std::string>{
                "go: left out 2 samples with negative values (-2 in all, of samples/count); is the "
                "input a difference of profiles?"});
}

}  // namespace
}  // namespace pgo::pprof_reader_test
