#include "pgo/diff/tag_filter.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace pgo {
namespace {

struct Unit {
  std::string_view name;
  char kind;
  double size;
};

constexpr double kKilo = 1024, kMega = kKilo * kKilo;
constexpr Unit kUnits[] = {
    {"", 0, 1},
    {"b", 'b', 1},
    {"byte", 'b', 1},
    {"bytes", 'b', 1},
    {"kb", 'b', kKilo},
    {"mb", 'b', kMega},
    {"gb", 'b', kMega * kKilo},
    {"tb", 'b', kMega * kMega},
    {"ns", 't', 1},
    {"nanoseconds", 't', 1},
    {"us", 't', 1e3},
    {"microseconds", 't', 1e3},
    {"ms", 't', 1e6},
    {"milliseconds", 't', 1e6},
    {"s", 't', 1e9},
    {"seconds", 't', 1e9},
    {"min", 't', 60e9},
    {"h", 't', 3600e9},
};

const Unit* find_unit(std::string_view name) {
  std::string lower(name);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  auto found = std::find_if(std::begin(kUnits), std::end(kUnits),
                            [&](const Unit& unit) { return unit.name == lower; });
  return found == std::end(kUnits) ? nullptr : found;
}

struct Amount {
  double value = 0;
  char kind = 0;
};

std::optional<Amount> parse_amount(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  int64_t number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  const Unit* unit = find_unit(text.substr(static_cast<size_t>(end - text.data())));
  if (unit == nullptr) return std::nullopt;
  return Amount{static_cast<double>(number) * unit->size, unit->kind};
}

}  // namespace

Result<std::shared_ptr<const re2::RE2>> compile_expression(const std::string& option,
                                                           const std::string& expression) {
  auto compiled = std::make_shared<const RE2>(expression, RE2::Quiet);
  if (compiled->ok()) return compiled;
  return fail(ErrorKind::kUsage, "\xFF{" + option + "} '" + expression +
                                     "' is not a regular expression: " + compiled->error());
}

Result<TagFilter> TagFilter::parse(const std::string& option, const std::string& text) {
  TagFilter filter;
  std::string_view value = text;
  if (size_t equals = value.find('='); equals != value.npos) {
    filter.key_ = std::string(value.substr(0, equals));
    value.remove_prefix(equals + 1);
  }
  filter.range_ = parse_range(value);
  if (filter.range_) return filter;
  for (;;) {
    std::string_view one = value.substr(0, value.find(','));
    PGO_TRY(auto expression, compile_expression(option, std::string(one)));
    filter.expressions_.push_back(std::move(expression));
    if (one.size() == value.size()) return filter;
    value.remove_prefix(one.size() + 1);
  }
}

std::optional<TagFilter::Range> TagFilter::parse_range(std::string_view text) {
  size_t colon = text.find(':');
  std::string_view low = text.substr(0, colon);
  Range range;
  std::optional<Amount> first = parse_amount(low);
  if (!low.empty() && !first) return std::nullopt;
  if (colon == text.npos) {
    if (!first) return std::nullopt;
    return Range{first->value, first->value, first->kind};
  }
  std::string_view high = text.substr(colon + 1);
  std::optional<Amount> last = parse_amount(high);
  if ((!high.empty() && !last) || (!first && !last)) return std::nullopt;
  if (first && last && first->kind != last->kind) return std::nullopt;
  range.kind = first ? first->kind : last->kind;
  if (first) range.low = first->value;
  if (last) range.high = last->value;
  return range;
}

bool TagFilter::Range::holds(int64_t number, std::string_view unit) const {
  const Unit* scale = find_unit(unit);
  // A unit that is none of these is a number of that unit, which a range without one means.
  char its_kind = scale == nullptr ? char{0} : scale->kind;
  if (kind != its_kind && kind != 0) return false;
  double value = static_cast<double>(number) * (scale == nullptr || kind == 0 ? 1 : scale->size);
  return (!low || value >= *low) && (!high || value <= *high);
}

bool TagFilter::matches(const StackProfile& profile, std::span<const StackLabel> labels) const {
  return range_ ? has_number(profile, labels) : has_text(profile, labels);
}

bool TagFilter::has_number(const StackProfile& profile, std::span<const StackLabel> labels) const {
  return std::any_of(labels.begin(), labels.end(), [&](const StackLabel& label) {
    return label.is_number() && (!key_ || profile.text(label.key) == *key_) &&
           range_->holds(label.number, profile.text(label.unit));
  });
}

bool TagFilter::has_text(const StackProfile& profile, std::span<const StackLabel> labels) const {
  auto has = [&](const RE2& expression) {
    return std::any_of(labels.begin(), labels.end(), [&](const StackLabel& label) {
      if (label.is_number()) return false;
      std::string_view key = profile.text(label.key), text = profile.text(label.text);
      if (key_) return key == *key_ && RE2::PartialMatch(text, expression);
      return RE2::PartialMatch(std::string(key) + ":" + std::string(text), expression);
    });
  };
  auto matched = [&](const auto& expression) { return has(*expression); };
  return key_ ? std::any_of(expressions_.begin(), expressions_.end(), matched)
              : std::all_of(expressions_.begin(), expressions_.end(), matched);
}

}  // namespace pgo
