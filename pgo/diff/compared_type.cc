#include "pgo/diff/compared_type.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "pgo/diff/event_name.h"
#include "pgo/profile/sample_value.h"
#include "pgo/profile/stack_selection.h"

namespace pgo {
namespace {

std::vector<std::string> type_names(const StackProfile& profile) {
  std::vector<std::string> names;
  for (size_t type = 0; type < profile.sample_types.size(); type++)
    names.push_back(type_name(profile, type));
  return names;
}

std::string list(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

bool is_same_event(std::string_view a, std::string_view b) {
  return split_event_name(a).event == split_event_name(b).event;
}

const char* counted_code(const EventName& name) {
  if (name.counts_user_code())
    return name.counts_kernel() ? "user code and the kernel" : "user code";
  return name.counts_kernel() ? "the kernel" : "neither user code nor the kernel";
}

}  // namespace

Failure ComparedType::mismatch(const StackProfile& profile, size_t type,
                               const std::string& path) const {
  const std::vector<std::string> types = type_names(profile);
  std::vector<std::string> common;
  for (const std::string& one : types)
    if (std::find(first_types_.begin(), first_types_.end(), one) != first_types_.end())
      common.push_back(one);
  if (common.empty())
    return fail(ErrorKind::kMismatch, path + ": counts " + list(types) + ", but " + first_path_ +
                                          " counts " + list(first_types_) +
                                          ": they count different things and cannot be compared");
  return fail(ErrorKind::kMismatch,
              path + ": counts " + types[type] + ", but " + first_path_ + " counts " + name() +
                  "; choose a type that both count with \xFF{sample-type}: " + list(common));
}

Result<void> ComparedType::add(StackProfile& profile, size_t type, const std::string& path) {
  ValueType& its = profile.sample_types[type];
  if (first_path_.empty()) {
    first_path_ = path;
    first_types_ = type_names(profile);
    type_ = profile.text(its.type);
    unit_ = profile.text(its.unit);
  }
  if (!is_same_event(profile.text(its.type), type_) || profile.text(its.unit) != unit_)
    return mismatch(profile, type, path);
  std::string event(counted_event(profile, type));
  if (!event.empty()) events_.try_emplace(std::move(event), path);
  const StringId first_name = profile.strings.add(type_);
  if (profile.period_type == its) profile.period_type.type = first_name;
  its.type = first_name;
  return ok();
}

bool ComparedType::counts_cpu_time() const {
  // What address profiles count: the periods of PC samples.
  constexpr std::string_view kPeriods = "weight";
  return std::all_of(events_.begin(), events_.end(), [&](const auto& event) {
    return is_cpu_time(event.first) || event.first == kPeriods;
  });
}

bool ComparedType::counts_kernel() const {
  return std::any_of(events_.begin(), events_.end(), [](const auto& event) {
    return split_event_name(event.first).counts_kernel();
  });
}

bool ComparedType::counts_same_code() const {
  return !counts_kernel() || std::all_of(events_.begin(), events_.end(), [](const auto& event) {
    return split_event_name(event.first).counts_kernel();
  });
}

void ComparedType::warn(Diagnostics& diagnostics) const {
  if (events_.empty()) return;
  const auto& [first_name, first_path] = *events_.begin();
  const EventName first = split_event_name(first_name);
  for (const auto& [name, path] : events_) {
    const EventName other = split_event_name(name);
    const std::string both =
        first_path + ": counts " + first_name + ", but " + path + " counts " + name;
    const bool is_other_event = first.event != other.event;
    if (is_other_event && !(is_cpu_time(first.event) && is_cpu_time(other.event))) {
      diagnostics.warn("other-events", both + ": different events took their samples");
    } else if (std::string_view(counted_code(first)) != counted_code(other)) {
      diagnostics.warn("other-code", both + ": the first covers " + counted_code(first) +
                                         ", the second " + counted_code(other) +
                                         ", so their shares refer to different totals; record "
                                         "both with the same event");
    } else if (!is_other_event && first.precision() != other.precision()) {
      diagnostics.warn("other-precision",
                       both +
                           ": one locates instructions more precisely, which moves "
                           "samples between lines and small functions; record "
                           "both with the same event");
    }
  }
}

}  // namespace pgo
