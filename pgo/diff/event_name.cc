#include "pgo/diff/event_name.h"

namespace pgo {

EventName split_event_name(std::string_view name) {
  // From perf-list(1): privilege levels, guest and host, precision, and counter scheduling.
  constexpr std::string_view kModifiers = "ukhIGHpPSDWebRX";
  const size_t colon = name.rfind(':');
  if (colon == name.npos || colon == 0 || colon + 1 == name.size()) return {name, {}};
  const std::string_view modifiers = name.substr(colon + 1);
  if (modifiers.find_first_not_of(kModifiers) != modifiers.npos) return {name, {}};
  return {name.substr(0, colon), modifiers};
}

}  // namespace pgo
