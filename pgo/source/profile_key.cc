#include "pgo/source/profile_key.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "pgo/base/sha256.h"
#include "pgo/base/time_text.h"

namespace pgo {
namespace {

constexpr size_t kKeyDigits = 12;  // of the digest
constexpr size_t kMaxName = 255;   // of a file or a directory
constexpr std::string_view kKeyHour = "2026-11-26T13", kHexDigits = "0123456789ABCDEF";

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
         c == '_' || c == '-' || c == '+' || c == '@' || c == ':';
}

// Nothing for what key_part() does not write.
std::optional<std::string> decoded(std::string_view name) {
  std::string text;
  for (size_t at = 0; at < name.size(); at++) {
    if (is_plain(name[at])) {
      text += name[at];
      continue;
    }
    if (name[at] != '%' || name.size() - at < 3) return std::nullopt;
    const size_t high = kHexDigits.find(name[at + 1]), low = kHexDigits.find(name[at + 2]);
    if (high == kHexDigits.npos || low == kHexDigits.npos) return std::nullopt;
    text += static_cast<char>(high << 4 | low);
    at += 2;
  }
  return text;
}

std::string pair_text(std::string_view key, std::string_view value) {
  return key_part(key) + "=" + key_part(value);
}

// Adds the label of "KEY=VALUE". False for other texts, and for a key that is there already.
bool add_pair(std::string_view text, Labels& labels) {
  const size_t equals = text.find('=');
  if (equals == text.npos) return false;
  std::optional<std::string> key = decoded(text.substr(0, equals)),
                             value = decoded(text.substr(equals + 1));
  return key && value && labels.emplace(*std::move(key), *std::move(value)).second;
}

// What comes before the first '/', or all; and leaves what comes behind it.
std::string_view take_component(std::string_view& path) {
  const std::string_view first = path.substr(0, path.find('/'));
  path.remove_prefix(std::min(first.size() + 1, path.size()));
  return first;
}

std::optional<int64_t> parse_hour(std::string_view text) {
  if (text.size() != kKeyHour.size() || text[10] != 'T') return std::nullopt;
  return parse_time(std::string(text) + ":00");
}

// "host=web-1,zone=eu,0123456789ab.pb.gz"
bool add_name(std::string_view name, ProfileKey& key) {
  for (size_t comma = name.find(','); comma != name.npos; comma = name.find(',')) {
    if (!add_pair(name.substr(0, comma), key.labels)) return false;
    name.remove_prefix(comma + 1);
  }
  const size_t dot = name.find('.');
  key.digest = name.substr(0, dot);
  return dot != name.npos && key.digest.size() == kKeyDigits &&
         key.digest.find_first_not_of("0123456789abcdef") == std::string::npos;
}

bool begins_key(std::string_view component) {
  return component.starts_with("service=") || component.starts_with("version=") ||
         component.starts_with("hour=");
}

// In any directory.
std::optional<ProfileKey> find_profile_key(std::string_view path) {
  for (std::string_view rest = path; !rest.empty();) {
    if (begins_key(rest)) return parse_profile_key(rest);
    take_component(rest);
  }
  return std::nullopt;
}

class KeyedSource final : public Source {
 public:
  explicit KeyedSource(std::unique_ptr<Source> source) : source_(std::move(source)) {}

  const std::string& name() const override { return source_->name(); }
  const std::string& identity() const override { return source_->identity(); }
  Result<std::vector<SourceObject>> list(const SourceQuery& query,
                                         Diagnostics& diagnostics) override {
    PGO_TRY(std::vector<SourceObject> objects, source_->list(query, diagnostics));
    for (SourceObject& object : objects) {
      std::optional<ProfileKey> key = find_profile_key(object.name);
      if (!key) continue;
      for (auto& [name, value] : key->labels) object.labels.insert_or_assign(name, value);
      if (object.time_evidence == TimeEvidence::kStore) continue;
      object.time = key->hour;
      object.time_evidence = TimeEvidence::kName;
    }
    return objects;
  }
  bool lists_all_times() const override { return source_->lists_all_times(); }
  void fetch(std::span<const SourceObject> objects, ObjectSink& sink) override {
    source_->fetch(objects, sink);
  }
  std::string how_to_keep(LostPart part) const override { return source_->how_to_keep(part); }

 private:
  std::unique_ptr<Source> source_;
};

}  // namespace

std::string key_part(std::string_view text) {
  std::string name;
  for (const char c : text) {
    if (is_plain(c)) {
      name += c;
      continue;
    }
    const auto byte = static_cast<uint8_t>(c);
    name += '%';
    name += kHexDigits[byte >> 4];
    name += kHexDigits[byte & 15];
  }
  return name;
}

Result<std::string> profile_key(const OutgoingProfile& profile) {
  if (!profile.key.empty()) return std::string(profile.key);
  std::string directories, name;
  Labels others = profile.labels;
  for (const char* key : {"service", "version"})
    if (const auto label = others.find(key); label != others.end()) {
      directories += pair_text(key, label->second) + "/";
      others.erase(label);
    }
  directories += "hour=" + format_time(profile.time).substr(0, kKeyHour.size()) + "/";
  for (const auto& [key, value] : others) name += pair_text(key, value) + ",";
  name += Sha256::hex_of(profile.file).substr(0, kKeyDigits) + profile.extension;
  std::string path = directories + name;
  for (std::string_view rest = path; !rest.empty();)
    if (const size_t size = take_component(rest).size(); size > kMaxName)
      return fail(ErrorKind::kUsage,
                  profile.shown + ": its labels make a name of " + std::to_string(size) +
                      " bytes, and file systems take " + std::to_string(kMaxName),
                  "leave out labels, or shorten them");
  return path;
}

std::optional<ProfileKey> parse_profile_key(std::string_view path) {
  ProfileKey key;
  for (const std::string_view label : {"service=", "version="})
    if (path.starts_with(label) && !add_pair(take_component(path), key.labels)) return std::nullopt;
  constexpr std::string_view kHour = "hour=";
  if (!path.starts_with(kHour)) return std::nullopt;
  const std::optional<int64_t> hour = parse_hour(take_component(path).substr(kHour.size()));
  if (!hour || path.find('/') != path.npos || !add_name(path, key)) return std::nullopt;
  key.hour = *hour;
  return key;
}

std::unique_ptr<Source> with_profile_keys(std::unique_ptr<Source> source) {
  return std::make_unique<KeyedSource>(std::move(source));
}

}  // namespace pgo
