#include "converters/folded/folded.h"

#include <gtest/gtest.h>

#include <sstream>

namespace pgo {
namespace {

Bytes as_bytes(std::string_view text) {
  return Bytes(reinterpret_cast<const uint8_t*>(text.data()), text.size());
}

std::string rewritten(std::string_view text) {
  Result<StackProfile> profile = parse_folded(as_bytes(text), "p");
  if (!profile) return "error: " + profile.error().message;
  profile->normalize();
  EXPECT_EQ(profile->check(), std::nullopt);
  Result<std::string> written = write_folded(*profile);
  return written ? *written : "error: " + written.error().message;
}

TEST(Folded, ReadsAndWrites) {
  EXPECT_EQ(rewritten("main;work 2\n\nmain 1\r\nmain;work\t3\noperator new(a b);x_[k] 4\n"),
            "main 1\nmain;work 5\noperator new(a b);x_[k] 4\n");
  Result<StackProfile> profile = parse_folded(as_bytes("main;work 2\n"), "p");
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
  EXPECT_EQ(rewritten("main 0\n"), "error: folded: no sample has a value that could be written");
  EXPECT_EQ(rewritten("main;work 12"),
            "error: p: folded stacks: the last line does not end; was the file cut short?");
}

TEST(Folded, TruncationAtEveryByte) {
  std::string text = "main;work 12\nmain 3\n";
  for (size_t size = 1; size < text.size(); size++)
    EXPECT_EQ(rewritten(text.substr(0, size)).starts_with("error: p: "), size != 13) << size;
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
  EXPECT_EQ(*write_folded(profile), "[unknown]+0x99;libx.so+0x230;a:b;in;libx.so+0x210 20\n");
  profile.default_sample_type = profile.sample_types[0].type;
  EXPECT_EQ(*write_folded(profile), "[unknown]+0x99;libx.so+0x230;a:b;in;libx.so+0x210 1\n");
}

TEST(Folded, IsRecognized) {
  EXPECT_TRUE(is_folded(as_bytes("main;work 2\n")));
  EXPECT_FALSE(is_folded(as_bytes("")));
  EXPECT_FALSE(is_folded(as_bytes("main\nwork\n")));
  EXPECT_FALSE(is_folded(as_bytes(std::string_view("\x01\x02 3\n"))));
}

}  // namespace
}  // namespace pgo
