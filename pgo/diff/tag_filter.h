// TagFilter: which samples have a label, by pprof's rules for -tagfocus and -tagignore:
//
//   "foo", "key=foo"       a text that the regular expression matches; without a key it is matched
//                          with "KEY:TEXT". Of "foo,bar" all must match; with a key, one of them
//   "32kb", "key=32kb:"    a number, or a range of numbers that is open at one end or not at all:
//   "1kb:2mb", ":64kb"     in bytes (b kb mb gb tb), in time (ns us ms s min h), or in nothing
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pgo/base/result.h"
#include "pgo/profile/stack_profile.h"

namespace re2 {
class RE2;
}

namespace pgo {

// Matches as pprof does: anywhere in the text. `option` is for messages. Error: kUsage.
Result<std::shared_ptr<const re2::RE2>> compile_expression(const std::string& option,
                                                           const std::string& expression);

class TagFilter {
 public:
  // Error: kUsage for what is no regular expression.
  static Result<TagFilter> parse(const std::string& option, const std::string& text);

  bool matches(const StackProfile& profile, std::span<const StackLabel> labels) const;

 private:
  struct Range {
    std::optional<double> low, high;  // in the smallest unit of `kind`
    char kind = 0;                    // 'b': bytes, 't': time, 0: a number without a unit

    bool holds(int64_t number, std::string_view unit) const;
  };

  static std::optional<Range> parse_range(std::string_view text);
  bool has_number(const StackProfile& profile, std::span<const StackLabel> labels) const;
  bool has_text(const StackProfile& profile, std::span<const StackLabel> labels) const;

  std::optional<std::string> key_;
  std::optional<Range> range_;
  std::vector<std::shared_ptr<const re2::RE2>> expressions_;
};

}  // namespace pgo
