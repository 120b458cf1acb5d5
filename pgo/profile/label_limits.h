// LabelLimits: keeps out of what is stored labels that name users, and labels with a value of its
// own for nearly each sample (requests, traces), which make profiles large and tell nothing.
//
//   drop_user_labels(labels, allowed)       of a whole profile
//   limit_labels(profile, {}, diagnostics)  of its samples
#pragma once

#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "pgo/base/diagnostics.h"
#include "pgo/base/labels.h"
#include "pgo/profile/stack_profile.h"

namespace pgo {

// Kinds of warnings.
inline constexpr const char *kUserLabels = "user-labels", *kManyLabelValues = "many-label-values";

// A key with more values than these is not what profiles are told apart by.
inline constexpr size_t kMaxLabelValues = 1000;

using LabelKeys = std::set<std::string, std::less<>>;

struct LabelLimits {
  size_t max_values = kMaxLabelValues;
  LabelKeys allowed = {};  // keys that stay as they are
};

// Is one of the words of `key` of a user or a secret: user, email, session, ip, token ...? Words
// are told apart by what is no letter or digit, and by capitals: "clientIP" has "client" and "ip".
bool is_user_label(std::string_view key);

// Removes user labels that are not allowed; returns their keys, sorted.
std::vector<std::string> drop_user_labels(Labels& labels, const LabelKeys& allowed = {});
// The same of samples; those that become equal stay apart until the profile is normalized.
LabelKeys drop_user_labels(StackProfile& profile, const LabelKeys& allowed = {});

// Of a key with more values than allowed, texts are dropped, and numbers become the largest power
// of two that is not above (bytes of allocations, say). Each key gets a warning. Samples that
// become equal are added up. `profile` is normalized. O(labels + samples log samples).
void limit_label_values(StackProfile& profile, const LabelLimits& limits, Diagnostics& diagnostics);

// What `keys` were dropped for, for a warning; `where` is the file.
std::string user_labels_text(const std::string& where, const LabelKeys& keys);

// Takes the first of `prefixes` that a path of a source file begins with off that path, with the
// '/' behind it. A prefix ends at a '/': "/build" is none of "/builder/a.cc". O(functions).
void trim_source_paths(StackProfile& profile, const std::vector<std::string>& prefixes);

}  // namespace pgo
