#include "converters/flame_graph/flame_text.h"

#include <gtest/gtest.h>

#include <cmath>

namespace pgo::flame_text_test {
namespace {

TEST(FlameText, NamesShowWhatCannotBeSeen) {
  EXPECT_EQ(printable_name("größe<int>"), "größe<int>");
  EXPECT_EQ(printable_name("a\x1b[31m\n\x7f"), "a\\x1b[31m\\x0a\\x7f");
  EXPECT_EQ(printable_name("a\u202eb\u2028\u200b\ufeff"), "a\\u{202e}b\\u{2028}\\u{200b}\\u{feff}");
  EXPECT_EQ(printable_name("a\ufffe\uffff"), "a\\u{fffe}\\u{ffff}");
  EXPECT_EQ(printable_name("\u3164\u115f\ufe0f\U000e0041"),
            "\\u{3164}\\u{115f}\\u{fe0f}\\u{e0041}");
  EXPECT_EQ(printable_name("\xff\xc3"), "??");
  EXPECT_EQ(printable_name("\U0001f600"), "\U0001f600");
}

TEST(FlameText, LongNamesLoseTheirMiddle) {
  std::string name = "begin" + std::string(5000, 'x') + "end";
  std::string shown = printable_name(name);
  EXPECT_EQ(shown.size(), kLongestName);
  EXPECT_TRUE(shown.starts_with("beginxxx") && shown.ends_with("xxxend"));
  EXPECT_NE(shown.find("x…x"), std::string::npos);
  // No character is cut.
  for (size_t i = 0; i < 4; i++) {
    std::string umlauts = std::string(i, 'x');
    for (int k = 0; k < 3000; k++) umlauts += "ü";
    EXPECT_EQ(printable_name(umlauts).find('?'), std::string::npos) << i;
    EXPECT_LE(printable_name(umlauts).size(), kLongestName) << i;
  }
  EXPECT_EQ(printable_name(std::string(kLongestName, 'x')), std::string(kLongestName, 'x'));
}

TEST(FlameText, JsonEndsNoScript) {
  EXPECT_EQ(json_text("a\"b\\c</script>&\n\x7f"),
            "\"a\\\"b\\\\c\\u003c/script\\u003e\\u0026\\u000a\\u007f\"");
  EXPECT_EQ(json_text("\u2027\u2028\u2029\u202a"), "\"\u2027\\u2028\\u2029\u202a\"");
}

TEST(FlameText, ValuesHaveUnits) {
  FlameTree tree;
  tree.type = "cpu", tree.unit = "nanoseconds";
  EXPECT_EQ(format_flame_value(tree, 0), "0 ns");
  EXPECT_EQ(format_flame_value(tree, 999), "999 ns");
  EXPECT_EQ(format_flame_value(tree, 12'345), "12.3 µs");
  EXPECT_EQ(format_flame_value(tree, 999'999'999), "1.00 s");
  EXPECT_EQ(format_flame_value(tree, 81'123'076'724), "81.1 s");
  EXPECT_EQ(format_flame_value(tree, 7'200'000'000'000), "2.00 h");
  tree.unit = "bytes";
  EXPECT_EQ(format_flame_value(tree, 4'000'000), "4.00 MB");
  tree.type = "samples", tree.unit = "count";
  EXPECT_EQ(format_flame_value(tree, -1234), "-1 234 samples");
  tree.value_size = .0001234567;  // of costs of one unit
  EXPECT_EQ(format_flame_value(tree, 1), "0.0001235 samples");
  EXPECT_EQ(format_flame_value(tree, 1'000'000'000), "123 457 samples");
  tree.unit = "nanoseconds";
  EXPECT_EQ(format_flame_value(tree, 10'000), "1.235 ns");
  tree.in_shares = true;
  EXPECT_EQ(format_flame_value(tree, kFlameWhole / 8), "12.5 %");
}

TEST(FlameText, SharesHaveThreeDigits) {
  EXPECT_EQ(format_flame_share(0), "0.0 %");
  EXPECT_EQ(format_flame_share(1), "100.0 %");
  EXPECT_EQ(format_flame_share(0.0412), "4.12 %");
  EXPECT_EQ(format_flame_share(0.00123), "0.123 %");
  EXPECT_EQ(format_flame_share(0.0000012), "0.00012 %");
}

TEST(FlameText, SaysWhatIsNotShown) {
  FlameTreeBuilder builder(1);
  uint32_t a = builder.add_frame({"a", {}, {}}), b = builder.add_frame({"b", {}, {}});
  builder.add_stack({{a}}, 0, 90);
  builder.add_stack({{b}}, 0, 1);
  builder.add_stack(std::vector<uint32_t>{a, a, a}, 0, 9);
  builder.add_stack(std::vector<uint32_t>{b, a}, 0, -3);
  EXPECT_EQ(omission_notes(*builder.build({})),
            std::vector<std::string>{"1 stack with a negative value (-3 in all) cannot be drawn"});
  FlameOptions options;
  options.min_share = 0.02, options.max_depth = 2, options.max_functions = 1;
  EXPECT_EQ(
      omission_notes(*builder.build(options)),
      (std::vector<std::string>{
          "Frames below 2 % of the whole are merged into \"(other)\", where 1 of 3 stacks end",
          "Stacks with more than 2 frames end in \"(other)\": 1 of 3 stacks",
          "\"(other)\" is 10.0 % of the whole",
          "The table leaves out 1 function with the smallest shares",
          "1 stack with a negative value (-3 in all) cannot be drawn"}));
}

TEST(FlameText, SaysHowLargeOtherIsWithoutAReason) {
  FlameTree tree;
  tree.sides = {{"", 10}};
  tree.nodes = {{kFlameRoot, 0, {}, {10, 0}}, {kFlameOther, 1, {5, 0}, {5, 0}}};
  EXPECT_EQ(omission_notes(tree), std::vector<std::string>{"\"(other)\" is 50.0 % of the whole"});
}

TEST(FlameText, FalseDiscoveryRatesHaveTwoDigits) {
  auto text = [](double q) { return format_flame_q({FlameMark::kChanged, q, {}}); };
  EXPECT_EQ(text(1), "q = 1.0");
  EXPECT_EQ(text(0.25), "q = 0.25");
  EXPECT_EQ(text(0.02), "q = 0.020");
  EXPECT_EQ(text(0.0012), "q = 0.0012");
  EXPECT_EQ(text(1e-6), "q < 0.001");
  EXPECT_EQ(text(std::nan("")), "");
  EXPECT_EQ(text(INFINITY), "");
  EXPECT_EQ(format_flame_q({}), "");
}

TEST(FlameText, ChangesHaveSteps) {
  FlameTree tree;
  tree.sides = {{"before", 10'000}, {"after", 10'000}};
  auto step = [&](int64_t before, int64_t after, FlameMark mark = FlameMark::kNone) {
    tree.nodes = {{kFlameRoot, 0, {}, {before, after}}};
    tree.certainties = {{mark, {}, {}}};
    return change_step(tree, 0);
  };
  EXPECT_EQ(step(100, 104), 0);
  EXPECT_EQ(step(100, 105), 1);
  EXPECT_EQ(step(125, 100), -2);
  EXPECT_EQ(step(0, 100), 3);
  EXPECT_EQ(step(0, 100, FlameMark::kNoise), 0);
  EXPECT_EQ(step(0, 100, FlameMark::kThin), 0);
  EXPECT_EQ(step(100, 0, FlameMark::kSamplingOnly), -3);
  EXPECT_EQ(step(100, 0, FlameMark::kChanged), -3);
}

}  // namespace
}  // namespace pgo::flame_text_test
