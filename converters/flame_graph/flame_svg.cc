#include "converters/flame_graph/flame_svg.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "converters/flame_graph/flame_text.h"
#include "converters/flame_graph/frame_color.h"
#include "converters/flame_graph/frame_name.h"
#include "pgo/base/markup_text.h"
#include "pgo/base/number_text.h"
#include "pgo/base/utf8.h"

namespace pgo {
namespace {

constexpr double kWidth = 1200, kMargin = 12, kRow = 18, kLetter = 6.8;
constexpr double kInner = kWidth - 2 * kMargin, kNarrowest = 0.5;

std::string coordinate(double value) { return format_decimal(value, 1); }

// The first characters of a text that fit; "" when not even three do.
std::string fitting(const std::string& name, double width) {
  size_t most = static_cast<size_t>(std::max(0.0, (width - 6) / kLetter));
  if (count_characters(name) <= most) return name;
  if (most < 3) return "";
  size_t end = 0;
  for (size_t characters = 0; end < name.size(); end++)
    if ((name[end] & 0xc0) != 0x80 && characters++ == most - 1) break;
  return name.substr(0, end) + "…";
}

// How certain a difference is, or nothing.
std::string certainty_text(const FlameTree& tree, size_t node) {
  if (node >= tree.certainties.size()) return "";
  const FlameCertainty& certainty = tree.certainties[node];
  std::string text;
  switch (certainty.mark) {
    case FlameMark::kNone: return "";
    case FlameMark::kChanged: text = "changed"; break;
    case FlameMark::kNoise: text = "within noise"; break;
    case FlameMark::kThin: text = "too small to tell"; break;
    case FlameMark::kSamplingOnly: text = "beyond sampling error"; break;
  }
  std::string q = format_flame_q(certainty);
  return ", " + text + (q.empty() ? "" : " (" + q + ")");
}

class Picture {
 public:
  Picture(const FlameTree& tree, const FlamePage& page)
      : tree_(tree), page_(page), colors_(frame_colors(tree)) {
    for (const FlameFrame& frame : tree.frames) names_.push_back(printable_name(frame.name));
  }

  std::string draw() {
    std::string frames = draw_frames();
    top_ = 0;
    std::string head = line(page_.title, 18, "600");
    head += line(page_.subtitle, 12, "400");
    double height = top_ + 8;
    std::string body = "<g transform=\"translate(" + coordinate(kMargin) + ' ' +
                       coordinate(height) + ")\">\n" + frames + "</g>\n";
    top_ = height + (lowest_ + 1) * kRow;
    std::string foot;
    for (const std::string& note : notes()) foot += line(note, 11, "400");
    return open_svg(top_ + kMargin) + head + body + foot + "</svg>\n";
  }

 private:
  std::string open_svg(double height) const {
    std::string title = markup_text(printable_name(page_.title));
    std::string width = coordinate(kWidth);
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + width + ' ' +
           coordinate(height) + "\" width=\"" + width + "\" height=\"" + coordinate(height) +
           "\" role=\"img\" aria-label=\"" + title +
           "\" font-family=\"system-ui, 'Segoe UI', Roboto, 'Liberation Sans', Arial, "
           "sans-serif\" font-size=\"11.5\" fill=\"#1c1e22\">\n<title>" +
           title + "</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n";
  }

  std::string line(const std::string& text, int size, const char* weight) {
    if (text.empty()) return "";
    top_ += size + 8;
    return "<text x=\"" + coordinate(kMargin) + "\" y=\"" + coordinate(top_) + "\" font-size=\"" +
           std::to_string(size) + "\" font-weight=\"" + weight + "\">" +
           markup_text(printable_name(text)) + "</text>\n";
  }

  // Of the whole: of both sides on average, so that neither what came nor what went is missing.
  double width_of(const FlameNode& node) const {
    double share = 0;
    for (size_t side = 0; side < tree_.sides.size(); side++)
      share += static_cast<double>(node.total[side]) /
               static_cast<double>(std::max<int64_t>(tree_.sides[side].whole, 1));
    return share / static_cast<double>(tree_.sides.size());
  }

  std::string draw_frames() {
    std::string text;
    double scale = kInner / width_of(tree_.nodes[0]);
    std::vector<double> next = {0};  // for each depth, where its next frame begins
    uint32_t skipped_below = ~uint32_t{0};
    for (size_t i = 0; i < tree_.nodes.size(); i++) {
      const FlameNode& node = tree_.nodes[i];
      if (node.depth > skipped_below) {
        narrow_++;
        continue;
      }
      skipped_below = ~uint32_t{0};
      double left = next[node.depth], width = width_of(node) * scale;
      next.resize(node.depth + 1);
      next[node.depth] = left + width;
      next.push_back(left);
      if (width < kNarrowest) {
        narrow_++, narrow_width_ += width;
        skipped_below = node.depth;
        continue;
      }
      lowest_ = std::max(lowest_, static_cast<double>(node.depth));
      text += draw_frame(i, left, width);
    }
    return text;
  }

  std::string draw_frame(size_t i, double left, double width) const {
    const FlameNode& node = tree_.nodes[i];
    double top = node.depth * kRow, shown = std::max(width - 0.6, 0.4), height = kRow - 1;
    int step = tree_.is_comparison() ? change_step(tree_, i) : 0;
    auto rectangle = [&](double y, double size, const std::string& color) {
      return "<rect x=\"" + coordinate(left) + "\" y=\"" + coordinate(y) + "\" width=\"" +
             format_decimal(shown, 2) + "\" height=\"" + coordinate(size) + "\" fill=\"" + color +
             "\"/>";
    };
    std::string text = "<g><title>" + markup_text(title(i)) + "</title>" +
                       rectangle(top, height, color(node, step));
    if (step > 0) text += rectangle(top, 2.5, "#a3241b");
    if (step < 0) text += rectangle(top + height - 2.5, 2.5, "#1b55a0");
    std::string sign = step > 0 ? "▲ " : step < 0 ? "▼ " : "";
    std::string label = fitting(sign + names_[node.frame], width);
    if (label.ends_with("…"))
      label = fitting(sign + std::string(last_part(names_[node.frame])), width);
    if (!label.empty())
      text += "<text x=\"" + coordinate(left + 3) + "\" y=\"" +
              coordinate(top + (step > 0   ? 13.5
                                : step < 0 ? 11.5
                                           : 12.5)) +
              "\">" + markup_text(label) + "</text>";
    return text + "</g>\n";
  }

  std::string color(const FlameNode& node, int step) const {
    constexpr const char* kGrew[] = {"#fbdcd6", "#f6b8ad", "#ee9182"};
    constexpr const char* kShrank[] = {"#d9e6f7", "#b3cff2", "#8bb5ec"};
    if (step > 0) return kGrew[step - 1];
    if (step < 0) return kShrank[-step - 1];
    if (tree_.is_comparison() || node.frame <= kFlameOther) return "#e6e4df";
    return color_code(colors_[node.frame]);
  }

  std::string title(size_t i) const {
    const FlameNode& node = tree_.nodes[i];
    auto share = [&](size_t side) {
      return format_flame_share(static_cast<double>(node.total[side]) /
                                static_cast<double>(std::max<int64_t>(tree_.sides[side].whole, 1)));
    };
    std::string text = names_[node.frame];
    if (!tree_.frames[node.frame].module.empty())
      text += " (" + printable_name(tree_.frames[node.frame].module) + ')';
    if (!tree_.is_comparison())
      return text + ": " + format_flame_value(tree_, node.total[0]) + ", " + share(0) + ", self " +
             format_flame_value(tree_, node.self[0]);
    auto figure = [&](size_t side) {
      return tree_.per.empty() ? share(side) : format_flame_value(tree_, node.total[side]);
    };
    return text + ": " + figure(0) + " before, " + figure(1) + " after" + certainty_text(tree_, i);
  }

  std::vector<std::string> notes() const {
    std::vector<std::string> lines;
    if (tree_.is_comparison())
      lines.emplace_back(
          "Red, bar above, ▲: grew. Blue, bar below, ▼: shrank. Grey: changed by less than 0.05 % "
          "of the whole, or within noise. Widths are the average of both sides");
    lines.insert(lines.end(), page_.notes.begin(), page_.notes.end());
    for (std::string& note : omission_notes(tree_)) lines.push_back(std::move(note));
    if (narrow_ != 0)
      lines.push_back(format_count(narrow_, "frame") + " too narrow to draw, " +
                      format_flame_share(narrow_width_ / kInner) + " of the whole");
    return lines;
  }

  const FlameTree& tree_;
  const FlamePage& page_;
  std::vector<FrameColor> colors_;
  std::vector<std::string> names_;
  double top_ = 0, lowest_ = 0, narrow_width_ = 0;
  uint64_t narrow_ = 0;
};

}  // namespace

Result<std::string> flame_svg(const FlameTree& tree, const FlamePage& page) {
  if (tree.nodes.empty() || tree.share(tree.nodes[0].total) <= 0)
    return fail(ErrorKind::kEmpty, "flame graph: no stack has a value above 0");
  return Picture(tree, page).draw();
}

}  // namespace pgo
