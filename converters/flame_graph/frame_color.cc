#include "converters/flame_graph/frame_color.h"

#include <map>

#include "converters/flame_graph/frame_name.h"

namespace pgo {
namespace {

// The same everywhere and forever: FNV-1a, 32 bits, with the bits mixed at the end.
uint32_t color_hash(std::string_view text) {
  uint32_t hash = 2166136261;
  for (char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619;
  hash ^= hash >> 15;
  hash *= 0x2c1b3c6d;
  return hash ^ hash >> 13;
}

uint8_t hue_of(std::string_view text) {
  return static_cast<uint8_t>(color_hash(text) % kFrameHues);
}

}  // namespace

std::vector<FrameColor> frame_colors(const FlameTree& tree) {
  std::map<std::string_view, uint8_t> hues;
  for (const FlameFrame& frame : tree.frames)
    if (!frame.module.empty()) hues.try_emplace(frame.module);
  bool has_modules = hues.size() > 1;
  // As long as there are hues, no two binaries share one.
  std::vector<bool> is_taken(kFrameHues);
  size_t left = kFrameHues;
  for (auto& [module, hue] : hues) {
    hue = hue_of(module);
    if (left == 0) continue;
    while (is_taken[hue]) hue = static_cast<uint8_t>((hue + 5) % kFrameHues);
    is_taken[hue] = true, left--;
  }
  std::vector<FrameColor> colors;
  for (const FlameFrame& frame : tree.frames) {
    auto shade = static_cast<uint8_t>(color_hash(frame.name) % kFrameShades);
    std::string_view scope = scope_of(frame.name);
    auto module = hues.find(frame.module);
    if (has_modules && module != hues.end())
      colors.push_back({module->second, shade});
    else
      colors.push_back({hue_of(scope.empty() ? frame.name : scope), shade});
  }
  return colors;
}

std::string color_code(FrameColor color) {
  // oklch(L .075 H), where L is .88, .85 or .82, and H is 25, 55, … less 11, as it is, or plus 11:
  // page.css has the same.
  constexpr const char* kCodes[kFrameHues][kFrameShades] = {
      {"#ffc4c8", "#fbbbb5", "#f0b4a3"}, {"#ffc8b0", "#f5c19f", "#e6bb91"},
      {"#f6d1a1", "#e4cb95", "#d2c58d"}, {"#dfdba1", "#ccd49c", "#b8cd99"},
      {"#c3e3b1", "#b0dbb0", "#9dd3b0"}, {"#aae8ca", "#99decb", "#8ad4cb"},
      {"#9ce8e6", "#92dce5", "#8ad1e3"}, {"#a1e3fc", "#9ed6f8", "#9ccaf2"},
      {"#b6dbff", "#b6ceff", "#b6c1f5"}, {"#d1d2ff", "#d1c5fa", "#d0b8eb"},
      {"#eac9fb", "#e7bde9", "#e4b2d7"}, {"#fcc4e4", "#f6bad0", "#efb0bd"}};
  return kCodes[color.hue % kFrameHues][color.shade % kFrameShades];
}

}  // namespace pgo
