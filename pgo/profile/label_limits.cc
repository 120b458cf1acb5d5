#include "pgo/profile/label_limits.h"

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

namespace pgo {
namespace {

constexpr std::string_view kUserWords[] = {
    "account", "auth",     "authorization", "cookie",  "credential", "credentials", "customer",
    "email",   "ip",       "ipaddr",        "jwt",     "login",      "mail",        "passwd",
    "phone",   "password", "secret",        "session", "sessionid",  "sid",         "token",
    "tokens",  "uid",      "user",          "userid",  "username",   "users",       "apikey",
    "emails",  "userip",   "clientip",      "cookies", "accountid"};

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// "HTTPUserId" has "http", "user", "id".
std::vector<std::string> words_of(std::string_view key) {
  std::vector<std::string> words(1);
  for (size_t i = 0; i < key.size(); i++) {
    const char c = key[i];
    if (!is_upper(c) && !is_lower(c) && !is_digit(c)) {
      words.emplace_back();
      continue;
    }
    const bool follows_small = i > 0 && (is_lower(key[i - 1]) || is_digit(key[i - 1]));
    const bool begins_small =
        i > 0 && is_upper(key[i - 1]) && i + 1 < key.size() && is_lower(key[i + 1]);
    if (is_upper(c) && (follows_small || begins_small)) words.emplace_back();
    words.back() += is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return words;
}

// Calls change(label) for each label, which is dropped when that is false.
template <typename Change>
void change_labels(StackProfile& profile, const Change& change) {
  FlatLists<StackLabel> sets;
  for (size_t set = 0; set < profile.labels.size(); set++) {
    for (StackLabel label : profile.labels[set])
      if (change(label)) sets.push(label);
    sets.end_list();
  }
  profile.labels = std::move(sets);
}

// What the values of one key are.
struct KeyValues {
  std::set<std::pair<StringId, std::pair<int64_t, StringId>>> values;
  bool is_unbounded = false;
};

std::map<StringId, KeyValues> values_by_key(const StackProfile& profile, size_t max) {
  std::map<StringId, KeyValues> keys;
  for (size_t set = 0; set < profile.labels.size(); set++)
    for (const StackLabel& label : profile.labels[set]) {
      KeyValues& key = keys[label.key];
      if (key.is_unbounded) continue;
      key.values.insert({label.text, {label.number, label.unit}});
      key.is_unbounded = key.values.size() > max;
    }
  return keys;
}

int64_t power_of_two_below(int64_t number) {
  if (number <= 0) return std::min<int64_t>(number, 0);
  return static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(number)));
}

}  // namespace

bool is_user_label(std::string_view key) {
  for (const std::string& word : words_of(key))
    if (std::find(std::begin(kUserWords), std::end(kUserWords), word) != std::end(kUserWords))
      return true;
  return false;
}

std::vector<std::string> drop_user_labels(Labels& labels, const LabelKeys& allowed) {
  std::vector<std::string> dropped;
  std::erase_if(labels, [&](const auto& label) {
    if (allowed.contains(label.first) || !is_user_label(label.first)) return false;
    dropped.push_back(label.first);
    return true;
  });
  return dropped;
}

LabelKeys drop_user_labels(StackProfile& profile, const LabelKeys& allowed) {
  std::map<StringId, bool> known;  // is it one to drop?
  LabelKeys dropped;
  auto is_dropped = [&](const StackLabel& label) {
    auto [key, is_new] = known.try_emplace(label.key, false);
    if (is_new) {
      const std::string_view text = profile.text(label.key);
      key->second = !allowed.contains(text) && is_user_label(text);
      if (key->second) dropped.insert(std::string(text));
    }
    return key->second;
  };
  for (size_t set = 0; set < profile.labels.size(); set++)
    for (const StackLabel& label : profile.labels[set]) is_dropped(label);
  if (!dropped.empty())
    change_labels(profile, [&](const StackLabel& label) { return !is_dropped(label); });
  return dropped;
}

void limit_label_values(StackProfile& profile, const LabelLimits& limits,
                        Diagnostics& diagnostics) {
  std::map<StringId, KeyValues> keys = values_by_key(profile, limits.max_values);
  std::erase_if(keys, [&](const auto& key) {
    return !key.second.is_unbounded || limits.allowed.contains(profile.text(key.first));
  });
  if (keys.empty()) return;
  std::map<StringId, std::pair<bool, bool>> changed;  // texts dropped, numbers rounded
  change_labels(profile, [&](StackLabel& label) {
    if (!keys.contains(label.key)) return true;
    if (!label.is_number()) {
      changed[label.key].first = true;
      return false;
    }
    changed[label.key].second = true;
    label.number = power_of_two_below(label.number);
    // 0 without a unit would be no label.
    return label.number != 0 || label.unit != kEmptyString;
  });
  for (const auto& [key, what] : changed)
    diagnostics.warn(kManyLabelValues,
                     "the label '" + std::string(profile.text(key)) + "' has more than " +
                         std::to_string(limits.max_values) +
                         " values: " + (what.first ? "its texts were left out" : "") +
                         (what.first && what.second ? ", and " : "") +
                         (what.second ? "its numbers were rounded down to powers of two" : "") +
                         " (\xFF{allow-label} " + std::string(profile.text(key)) + " keeps it)");
  profile.normalize();
}

std::string user_labels_text(const std::string& where, const LabelKeys& keys) {
  std::string names;
  for (const std::string& key : keys) names += (names.empty() ? "'" : ", '") + key + "'";
  return where + ": left out labels that may name users: " + names +
         " (\xFF{allow-label} KEY keeps one)";
}

void trim_source_paths(StackProfile& profile, const std::vector<std::string>& prefixes) {
  for (StackFunction& function : profile.functions) {
    const std::string path(profile.text(function.filename));
    for (std::string prefix : prefixes) {
      while (prefix.ends_with('/')) prefix.pop_back();
      if (path.size() <= prefix.size() + 1 || !path.starts_with(prefix + "/")) continue;
      function.filename = profile.strings.add(path.substr(prefix.size() + 1));
      break;
    }
  }
}

}  // namespace pgo
