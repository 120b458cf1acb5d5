#include "converters/folded/folded.h"

#include <gtest/gtest.h>

#include <limits>
#include <sstream>

namespace pgo::folded_test {
namespace {

Bytes as_bytes(std::string_view text) {
  return Bytes(reinterpret_cast<const uint8_t*>(text.data()), text.size());
}

std::string rewritten(std::string_view text) {
  Diagnostics diagnostics;
  Result<StackProfile> profile = parse_folded(as_bytes(text), "p", diagnostics);
  if (!profile) return "error: " + profile.error().message;
  profile->normalize();
  EXPECT_EQ(profile->check(), std::nullopt);
  Result<std::string> written = write_folded(*profile, diagnostics);
  EXPECT_EQ(diagnostics, Diagnostics());
  return written ? *written : "error: " + written.error().message;
}

TEST(Folded, ReadsAndWrites) {
  EXPECT_EQ(rewritten("main;work 2\n\nmain 1\r\nmain;work\t3\noperator new(a b);x_[k] 4\n"),
            "main 1\nmain;work 5\noperator new(a b);x_[k] 4\n");
  Diagnostics diagnostics;
  Result<StackProfile> profile = parse_folded(as_bytes("main;work 2\n"), "p", diagnostics);
  profile->normalize();
  std::ostringstream out;
  profile->dump(out);
  EXPECT_EQ(out.str(),
            "types samples/count\n"
            "period 0 /\n"
            "time 0 duration 0\n"
            "function main  :0\n"
            "function work  :0\n"
            "sample 2\n"
            "    0: work:0\n"
            "    0: main:0\n");
}

TEST(Folded, NamesThatCouldNotBeReadAgainAreNone) {
  EXPECT_EQ(rewritten("a; ;b 1\n;;; 2\n"), "[unknown] 2\na;[unknown];b 1\n");
}

TEST(Folded, KnowsADifferenceByItsTwoCounts) {
  EXPECT_TRUE(is_folded_difference(as_bytes("main;work 2 3\n\nmain 0 1\n")));
  EXPECT_FALSE(is_folded_difference(as_bytes("main;work 2 3\nmain 1\n")));
  EXPECT_FALSE(is_folded_difference(as_bytes("main;operator new(a b) 3\n")));
  EXPECT_FALSE(is_folded_difference(as_bytes("2 3\n")));
  EXPECT_FALSE(is_folded_difference(as_bytes("")));
}

TEST(Folded, KnowsADifferenceByNearlyAllOfItsLines) {
  std::string text = "main;thread_7 1\n";
  for (char name = 'a'; name < 's'; name++) text += std::string("main;") + name + " 2 3\n";
  EXPECT_FALSE(is_folded_difference(as_bytes(text)));
  EXPECT_TRUE(is_folded_difference(as_bytes(text + "main;work 2 3\n")));
}

// A difference has each stack once.
TEST(Folded, NamesMayEndInNumbers) {
  EXPECT_FALSE(is_folded_difference(as_bytes("main;worker 1 50\nmain;worker 2 60\n")));
  EXPECT_TRUE(is_folded_difference(as_bytes("main;worker 1 50\n")));
  EXPECT_FALSE(is_folded_difference(as_bytes("main;worker 1; 50\n")));
  EXPECT_EQ(rewritten("main;worker 1; 50\n"), "main;worker 1 50\n");
}

TEST(Folded, FractionsAreRounded) {
  EXPECT_EQ(rewritten("a 1.5\nb 2.49\nc 3.\n"), "a 2\nb 2\nc 3\n");
}

TEST(Folded, SaysWhichLineIsWrong) {
  EXPECT_EQ(rewritten("main 1\nmain\n"),
            "error: p: line 2: frames and a count expected (main;work 42), found 'main'");
  EXPECT_EQ(rewritten("main -1\n"),
            "error: p: line 1: frames and a count expected (main;work 42), found 'main -1'");
  EXPECT_EQ(rewritten(" 1\n"),
            "error: p: line 1: frames and a count expected (main;work 42), found ' 1'");
  EXPECT_EQ(rewritten("main 0\n"), "error: folded: no stack has a count above 0");
}

// By hand, or by a script, a file may be written without its last newline. It is read, and where it
// was cut within a line, the warning tells.
TEST(Folded, TruncationAtEveryByte) {
  std::string text = "main;work 12\nmain 3\n";
  for (size_t size = 1; size < text.size(); size++) {
    Diagnostics diagnostics;
    Result<StackProfile> cut =
        parse_folded(as_bytes(std::string_view(text).substr(0, size)), "p", diagnostics);
    EXPECT_EQ(!cut || !diagnostics.entries().empty(), size != 13) << size;
  }
  Diagnostics diagnostics;
  Result<StackProfile> whole = parse_folded(as_bytes("main;work 12\nmain 3"), "p", diagnostics);
  ASSERT_TRUE(whole.has_value()) << whole.error().message;
  EXPECT_EQ(whole->values, (std::vector<int64_t>{12, 3}));
  EXPECT_EQ(diagnostics.entries().at("cut-short").messages,
            std::vector<std::string>{"p: folded stacks: the last line does not end with a newline: "
                                     "was the file cut short? Its count may be wrong"});
}

TEST(Folded, FramesWithoutAFunctionAreAnOffsetInAFile) {
  StackProfile profile;
  auto text = [&](const char* name) { return profile.strings.add(name); };
  profile.sample_types = {{text("samples")}, {text("cpu")}};
  profile.add_mapping(
      {text("/usr/lib/libx.so"), {}, RuntimeAddr{0x7000}, RuntimeAddr{0x9000}, FileOffset{0x200}});
  FunctionId outer = profile.add_function({text("a;b")}),
             inner = profile.add_function({text("in")});
  StackId stack = profile.add_stack({profile.add_location({MappingId{0}, RuntimeAddr{0x7010}}, {}),
                                     profile.add_location({}, {{inner, 0, 0}, {outer, 0, 0}}),
                                     profile.add_location({MappingId{0}, RuntimeAddr{0x230}}, {}),
                                     profile.add_location({kNoMapping, RuntimeAddr{0x99}}, {})});
  profile.add_sample({stack, profile.add_labels({})}, {1, 20});
  profile.normalize();
  Diagnostics diagnostics;
  EXPECT_EQ(*write_folded(profile, diagnostics),
            "[unknown]+0x99;libx.so+0x230;a:b;in;libx.so+0x210 20\n");
  profile.default_sample_type = profile.sample_types[0].type;
  EXPECT_EQ(*write_folded(profile, diagnostics),
            "[unknown]+0x99;libx.so+0x230;a:b;in;libx.so+0x210 1\n");
}

// Deep stacks of long names.
TEST(IsFolded, ReadsLongLines) {
  std::string stack = "main";
  for (int i = 0; i < 3000; i++) stack += ";" + std::string(100, 'x');
  EXPECT_TRUE(is_folded(as_bytes(stack + " 12\n")));
  EXPECT_TRUE(is_folded(as_bytes("main 1\n" + stack + " 12\n" + stack + ";y 3\n")));
  EXPECT_FALSE(is_folded(as_bytes("main 1\n" + stack + "\n")));
}

// Stacks of one frame each, and what they count under a label.
struct Labelled {
  const char *frame, *label;
  int64_t count;
};

StackProfile profile_of(const std::vector<Labelled>& samples) {
  StackProfile profile;
  auto text = [&](const char* name) { return profile.strings.add(name); };
  profile.sample_types = {{text("samples"), text("count")}};
  for (const Labelled& sample : samples) {
    FunctionId function = profile.add_function({text(sample.frame)});
    profile.add_sample({profile.add_stack({profile.add_location({}, {{function, 0, 0}})}),
                        profile.add_labels({{text("host"), text(sample.label)}})},
                       {sample.count});
  }
  profile.normalize();
  return profile;
}

// Equal stacks of several labels are one line: only their sum can be negative.
TEST(Folded, SaysWhichNegativeCountsAreLeftOut) {
  Diagnostics diagnostics;
  EXPECT_EQ(*write_folded(profile_of({{"less", "a", 5},
                                      {"less", "b", -12},
                                      {"more", "a", 5},
                                      {"more", "b", -2},
                                      {"none", "a", 2},
                                      {"none", "b", -2},
                                      {"small", "a", -1}}),
                          diagnostics),
            "more 3\n");
  EXPECT_EQ(diagnostics.entries().at("negative-values").messages,
            std::vector<std::string>{
                "folded: left out 2 stacks with a negative count (-8 in all), which flame graphs "
                "cannot show; \xFF{output} FILE.pb.gz keeps all counts"});
  EXPECT_EQ(write_folded(profile_of({{"less", "a", -1}}), diagnostics).error().message,
            "folded: no stack has a count above 0: 1 stack with a negative count (-1 in all), "
            "which flame graphs cannot show; \xFF{output} FILE.pb.gz keeps all counts");
}

TEST(Folded, SaysWhichCountsStop) {
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  Diagnostics diagnostics;
  std::string text = *write_folded(profile_of({{"f", "a", kMax}, {"f", "b", 1}}), diagnostics);
  EXPECT_EQ(text, "f 9223372036854775807\n");
  EXPECT_EQ(rewritten(text), text);
  EXPECT_EQ(diagnostics.entries().at("stopped-counts").messages,
            std::vector<std::string>{"folded: 1 stack has a count that is larger than "
                                     "9223372036854775807, and stops there"});
}

TEST(Folded, IsRecognized) {
  EXPECT_TRUE(is_folded(as_bytes("main;work 2\n")));
  EXPECT_FALSE(is_folded(as_bytes("")));
  EXPECT_FALSE(is_folded(as_bytes("main\nwork\n")));
  EXPECT_FALSE(is_folded(as_bytes(std::string_view("\x01\x02 3\n"))));
}

}  // namespace
}  // namespace pgo::folded_test
