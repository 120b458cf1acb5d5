#include "pgo/diff/stack_filter.h"

#include <re2/re2.h>

#include <algorithm>
#include <vector>

#include "pgo/profile/stack_selection.h"

namespace pgo {
namespace {

// The functions and mappings of a profile that one expression matches. Each is tried once.
class Matches {
 public:
  Matches(const StackProfile& profile, const RE2& expression) : profile_(profile) {
    auto finds = [&](StringId text) { return RE2::PartialMatch(profile.text(text), expression); };
    for (const StackFunction& function : profile.functions)
      functions_.push_back(finds(function.name) || finds(function.filename));
    for (const StackMapping& mapping : profile.mappings)
      mappings_.push_back(finds(mapping.filename));
  }

  bool has(const StackLine& line) const { return functions_[static_cast<size_t>(line.function)]; }
  bool has_mapping(size_t location) const {
    MappingId mapping = profile_.locations[location].mapping;
    return mapping != kNoMapping && mappings_[static_cast<size_t>(mapping)];
  }
  bool has(size_t location) const {
    std::span<const StackLine> lines = profile_.lines[location];
    return has_mapping(location) || std::any_of(lines.begin(), lines.end(),
                                                [&](const StackLine& line) { return has(line); });
  }

 private:
  const StackProfile& profile_;
  std::vector<bool> functions_, mappings_;
};

std::optional<Matches> matches_of(const StackProfile& profile,
                                  const std::shared_ptr<const RE2>& expression) {
  if (!expression) return std::nullopt;
  return Matches(profile, *expression);
}

enum class Frame : uint8_t { kNeither, kFocused, kIgnored };

}  // namespace

Result<StackFilter> StackFilter::compile(const StackFilterOptions& options) {
  StackFilter filter;
  struct Part {
    const char* option;
    const std::string& text;
    Expression& into;
  };
  const Part parts[] = {{"focus", options.focus, filter.focus_},
                        {"ignore", options.ignore, filter.ignore_},
                        {"hide", options.hide, filter.hide_},
                        {"show", options.show, filter.show_},
                        {"tagshow", options.tag_show, filter.tag_show_}};
  for (const Part& part : parts) {
    if (part.text.empty()) continue;
    PGO_TRY(part.into, compile_expression(part.option, part.text));
  }
  if (!options.tag_focus.empty()) {
    PGO_TRY(filter.tag_focus_, TagFilter::parse("tagfocus", options.tag_focus));
  }
  if (!options.tag_ignore.empty()) {
    PGO_TRY(filter.tag_ignore_, TagFilter::parse("tagignore", options.tag_ignore));
  }
  return filter;
}

void StackFilter::apply(StackProfile& profile) const {
  if (focus_ || ignore_ || hide_ || show_) apply_to_frames(profile);
  if (tag_focus_ || tag_ignore_ || tag_show_) apply_to_tags(profile);
}

void StackFilter::apply_to_frames(StackProfile& profile) const {
  std::vector<Frame> frames(profile.locations.size(), Frame::kNeither);
  {
    std::optional<Matches> focus = matches_of(profile, focus_),
                           ignore = matches_of(profile, ignore_);
    for (size_t at = 0; at < frames.size(); at++) {
      if (ignore && ignore->has(at))
        frames[at] = Frame::kIgnored;
      else if (!focus || focus->has(at))
        frames[at] = Frame::kFocused;
    }
  }
  keep_samples(profile, [&](size_t sample) {
    bool is_focused = false;
    for (LocationId location : profile.stacks[static_cast<size_t>(profile.samples[sample].stack)]) {
      Frame frame = frames[static_cast<size_t>(location)];
      if (frame == Frame::kIgnored) return false;
      is_focused = is_focused || frame == Frame::kFocused;
    }
    return is_focused;
  });
  if (hide_ || show_) apply_to_lines(profile);
}

void StackFilter::apply_to_lines(StackProfile& profile) const {
  std::optional<Matches> hide = matches_of(profile, hide_), show = matches_of(profile, show_);
  std::vector<bool> hidden(profile.locations.size());
  FlatLists<StackLine> lines;
  for (size_t at = 0; at < profile.locations.size(); at++) {
    std::vector<StackLine> left(profile.lines[at].begin(), profile.lines[at].end());
    if (hide && hide->has(at)) {
      if (hide->has_mapping(at)) left.clear();
      std::erase_if(left, [&](const StackLine& line) { return hide->has(line); });
      hidden[at] = left.empty();
    }
    if (show) {
      if (!show->has_mapping(at))
        std::erase_if(left, [&](const StackLine& line) { return !show->has(line); });
      hidden[at] = hidden[at] || left.empty();
    }
    lines.add(left);
  }
  profile.lines = std::move(lines);

  FlatLists<LocationId> stacks;
  for (size_t stack = 0; stack < profile.stacks.size(); stack++) {
    for (LocationId location : profile.stacks[stack])
      if (!hidden[static_cast<size_t>(location)]) stacks.push(location);
    stacks.end_list();
  }
  profile.stacks = std::move(stacks);
  keep_samples(profile, [&](size_t sample) {
    return !profile.stacks[static_cast<size_t>(profile.samples[sample].stack)].empty();
  });
}

void StackFilter::apply_to_tags(StackProfile& profile) const {
  std::vector<bool> stays;
  FlatLists<StackLabel> shown;
  for (size_t set = 0; set < profile.labels.size(); set++) {
    std::span<const StackLabel> labels = profile.labels[set];
    stays.push_back((!tag_focus_ || tag_focus_->matches(profile, labels)) &&
                    !(tag_ignore_ && tag_ignore_->matches(profile, labels)));
    for (const StackLabel& label : labels)
      if (!tag_show_ || RE2::PartialMatch(profile.text(label.key), *tag_show_)) shown.push(label);
    shown.end_list();
  }
  profile.labels = std::move(shown);
  keep_samples(profile, [&](size_t sample) {
    return stays[static_cast<size_t>(profile.samples[sample].labels)];
  });
}

}  // namespace pgo
