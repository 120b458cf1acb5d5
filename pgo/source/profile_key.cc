#include "pgo/source/profile_key.h"

#include <algorithm>

#include "pgo/base/sha256.h"
#include "pgo/base/time_text.h"

namespace pgo {
namespace {

constexpr size_t kKeyDigits = 12;  // of the digest
constexpr std::string_view kKeyHour = "2026-11-26T13";

std::string key_label(const OutgoingProfile& profile, std::string_view key) {
  const auto found = profile.labels.find(key);
  return found == profile.labels.end() ? "" : key_part(found->second);
}

bool is_key_digest(std::string_view text) {
  return text.size() == kKeyDigits && text.find_first_not_of("0123456789abcdef") == text.npos;
}

}  // namespace

std::string key_part(std::string_view text) {
  std::string name(text);
  for (char& c : name) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-' || c == '+';
    if (!is_plain) c = '_';
  }
  if (name.starts_with('.')) name[0] = '_';
  return name;
}

std::string profile_key(const OutgoingProfile& profile) {
  std::string key;
  for (const char* label : {"service", "version"})
    if (const std::string text = key_label(profile, label); !text.empty()) key += text + "/";
  key += format_time(profile.time).substr(0, kKeyHour.size()) + "/";
  if (const std::string host = key_label(profile, "host"); !host.empty()) key += host + "-";
  return key + Sha256::hex_of(profile.file).substr(0, kKeyDigits) + profile.extension;
}

std::optional<ProfileKey> parse_profile_key(std::string_view path) {
  // SERVICE/VERSION/HOUR/NAME at most.
  if (std::count(path.begin(), path.end(), '/') > 3) return std::nullopt;
  const size_t slash = path.rfind('/');
  if (slash == path.npos) return std::nullopt;
  std::string_view name = path.substr(slash + 1);
  const std::string_view directory = path.substr(0, slash);
  const std::string_view hour = directory.substr(directory.rfind('/') + 1);
  if (hour.size() != kKeyHour.size() || hour[10] != 'T') return std::nullopt;
  // The digest ends before the extension; the host may have dots, too.
  for (size_t dot = name.find('.'); dot != name.npos; dot = name.find('.', dot + 1)) {
    const std::string_view stem = name.substr(0, dot);
    const size_t begin = stem.rfind('-') == stem.npos ? 0 : stem.rfind('-') + 1;
    if (!is_key_digest(stem.substr(begin))) continue;
    const std::optional<int64_t> time = parse_time(std::string(hour) + ":00");
    return time ? std::optional(ProfileKey{*time, stem.substr(begin)}) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace pgo
