// What stands behind a marker in what BOLT's tools print, and the number there.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace pgo {

// The text behind the first `marker`; nothing when there is none.
inline std::optional<std::string_view> after(std::string_view text, std::string_view marker) {
  size_t place = text.find(marker);
  if (place == std::string_view::npos) return std::nullopt;
  return text.substr(place + marker.size());
}

// The number that `text` begins with; nothing when it begins with none.
template <typename Number>
std::optional<Number> leading_number(std::string_view text) {
  Number number{};
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} ? std::optional(number) : std::nullopt;
}

}  // namespace pgo
