// StackFilter: which samples and frames of a profile count, by the rules of pprof's options of the
// same names:
//
//   focus, ignore            samples with a frame that matches; those without one
//   hide, show               leaves out frames that match; all but those that match
//   tag_focus, tag_ignore    samples whose labels match (tag_filter.h); those whose labels do not
//   tag_show                 labels whose key matches; the others go
//
// All but the tags are regular expressions that are found in a frame's function, its source file,
// or its binary's file name. Samples without any frame left go.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "pgo/base/result.h"
#include "pgo/diff/tag_filter.h"
#include "pgo/profile/stack_profile.h"

namespace pgo {

struct StackFilterOptions {
  std::string focus = {}, ignore = {}, hide = {}, show = {};
  std::string tag_focus = {}, tag_ignore = {}, tag_show = {};

  bool operator==(const StackFilterOptions&) const = default;
};

class StackFilter {
 public:
  // Error: kUsage for what is no regular expression.
  static Result<StackFilter> compile(const StackFilterOptions& options);

  // O(locations * expressions + samples * frames).
  void apply(StackProfile& profile) const;

 private:
  using Expression = std::shared_ptr<const re2::RE2>;

  void apply_to_frames(StackProfile& profile) const;
  void apply_to_tags(StackProfile& profile) const;
  void apply_to_lines(StackProfile& profile) const;

  Expression focus_, ignore_, hide_, show_, tag_show_;
  std::optional<TagFilter> tag_focus_, tag_ignore_;
};

}  // namespace pgo
