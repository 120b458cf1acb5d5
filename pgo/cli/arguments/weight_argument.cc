#include "pgo/cli/arguments/weight_argument.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

namespace pgo {
namespace {

// Digits; at most Weight::kMaxPart.
std::optional<uint64_t> parse_whole(std::string_view text) {
  uint64_t value = 0;
  auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || rest != text.data() + text.size() || value > Weight::kMaxPart)
    return std::nullopt;
  return value;
}

}  // namespace

Result<InputWeight> parse_input_weight(const std::string& argument) {
  size_t equals = argument.rfind('=');
  if (equals == std::string::npos || equals == 0)
    return fail(ErrorKind::kUsage, "--weight " + argument + ": '=' expected, as in FILE=3/2");
  PGO_TRY(Weight weight, parse_weight(argument.substr(equals + 1)));
  return InputWeight{argument.substr(0, equals), weight, "\xFF{weight} " + argument};
}

Result<Weight> parse_weight(const std::string& text) {
  std::string_view rest = text;
  size_t sign = std::min(rest.find_first_of("/."), rest.size());
  std::optional<uint64_t> first = parse_whole(rest.substr(0, sign)), second = 1;
  if (sign < rest.size()) second = parse_whole(rest.substr(sign + 1));
  std::optional<Weight> weight;
  if (first && second && sign < rest.size() && rest[sign] == '.') {
    uint64_t scale = 1;
    for (size_t i = sign + 1; i < rest.size() && scale < Weight::kMaxPart; i++) scale *= 10;
    if (rest.size() - sign - 1 <= 6 && *first < Weight::kMaxPart / scale)
      weight = Weight{*first * scale + *second, scale};
  } else if (first && second && *second > 0) {
    weight = Weight{*first, *second};
  }
  if (weight && weight->numerator == 0)
    return fail(
        ErrorKind::kUsage,
        "'" + text +
            "' is not a weight: it must be more than 0; to leave a file out, name the others "
            "as inputs, or in an @LIST");
  if (weight) return *weight;
  return fail(ErrorKind::kUsage,
              "'" + text +
                  "' is not a weight: a number such as 3, 0.25 or 3/2 is expected, of up to "
                  "1000000 parts");
}

}  // namespace pgo
