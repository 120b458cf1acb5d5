#include "pgo/cli/arguments/shard_argument.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

namespace pgo {
namespace {

// Digits only.
std::optional<uint64_t> parse_number(std::string_view text) {
  uint64_t value = 0;
  auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || rest != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

Result<Shard> parse_shard(const std::string& text) {
  const std::string_view whole = text;
  const size_t slash = std::min(whole.find('/'), whole.size());
  const std::optional<uint64_t> index = parse_number(whole.substr(0, slash));
  const std::optional<uint64_t> count =
      slash == whole.size() ? std::nullopt : parse_number(whole.substr(slash + 1));
  if (!index || !count)
    return fail(ErrorKind::kUsage, "--shard " + text + ": two numbers expected, as in 3/16");
  const Shard shard{*index, *count};
  PGO_CHECK(shard.check());
  return shard;
}

}  // namespace pgo
