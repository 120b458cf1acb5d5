#include "converters/flame_graph/frame_color.h"

#include <gtest/gtest.h>

#include <set>

namespace pgo::frame_color_test {
namespace {

std::vector<FrameColor> colors_of(const std::vector<FlameFrame>& frames) {
  FlameTree tree;
  tree.frames = {{"all", {}, {}}, {"(other)", {}, {}}};
  tree.frames.insert(tree.frames.end(), frames.begin(), frames.end());
  std::vector<FrameColor> colors = frame_colors(tree);
  return {colors.begin() + 2, colors.end()};
}

TEST(FrameColor, EachBinaryHasAHue) {
  std::vector<FlameFrame> frames;
  for (int i = 0; i < kFrameHues; i++) {
    frames.push_back({"f", "lib" + std::to_string(i) + ".so", {}});
    frames.push_back({"g", "lib" + std::to_string(i) + ".so", {}});
  }
  std::vector<FrameColor> colors = colors_of(frames);
  std::set<uint8_t> hues;
  for (size_t i = 0; i < colors.size(); i += 2) {
    EXPECT_EQ(colors[i].hue, colors[i + 1].hue);
    hues.insert(colors[i].hue);
  }
  EXPECT_EQ(hues.size(), kFrameHues);
  // More binaries than hues: some share one.
  frames.push_back({"f", "one_more.so", {}});
  EXPECT_LT(colors_of(frames).back().hue, kFrameHues);
}

// The same in each graph: these numbers never change.
TEST(FrameColor, FollowsFromNames) {
  std::vector<FrameColor> colors =
      colors_of({{"app::f()", "", {}}, {"app::g()", "", {}}, {"main", "", {}}});
  EXPECT_EQ(colors[0].hue, colors[1].hue);
  EXPECT_EQ(colors, (std::vector<FrameColor>{{0, 1}, {0, 0}, {1, 1}}));
  EXPECT_EQ(color_code({0, 1}), "#fbbbb5");
}

}  // namespace
}  // namespace pgo::frame_color_test
