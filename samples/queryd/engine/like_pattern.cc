#include "engine/like_pattern.h"

namespace queryd {
namespace {

constexpr std::string_view kWildcards = "%_";

// After a mismatch, the last % takes one character more.
bool matches_stepwise(std::string_view text, std::string_view pattern) {
  size_t t = 0, p = 0, after_percent = std::string_view::npos, retry = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '%') {
      after_percent = ++p;
      retry = t;
    } else if (p < pattern.size() && (pattern[p] == '_' || pattern[p] == text[t])) {
      p++;
      t++;
    } else if (after_percent != std::string_view::npos) {
      p = after_percent;
      t = ++retry;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '%') p++;
  return p == pattern.size();
}

}  // namespace

LikePattern::LikePattern(std::string_view pattern) : part_(pattern) {
  bool open_start = pattern.starts_with('%'),
       open_end = pattern.size() > 1 && pattern.ends_with('%');
  std::string_view part = pattern.substr(open_start, pattern.size() - open_start - open_end);
  if (part.find_first_of(kWildcards) != std::string_view::npos) return;
  part_ = part;
  shape_ = open_start ? (open_end ? Shape::kWithin : Shape::kEnd)
                      : (open_end ? Shape::kStart : Shape::kWhole);
}

bool LikePattern::matches(std::string_view text) const {
  switch (shape_) {
    case Shape::kWhole: return text == part_;
    case Shape::kStart: return text.starts_with(part_);
    case Shape::kEnd: return text.ends_with(part_);
    case Shape::kWithin: return text.find(part_) != std::string_view::npos;
    case Shape::kOther: break;
  }
  return matches_stepwise(text, part_);
}

}  // namespace queryd
