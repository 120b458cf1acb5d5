#include "pgo/binary/profile_note.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "pgo/elf/note.h"
#include "pgo/profile/quality.h"

namespace pgo {
namespace {

struct NoteField {
  std::string_view key;
  std::string ProfileNote::* member;
};
constexpr NoteField kFields[] = {
    {"bolt", &ProfileNote::bolt},
    {"density", &ProfileNote::density},
    {"evidence", &ProfileNote::evidence},
    {"name", &ProfileNote::name},
    {"profile", &ProfileNote::profile},
    {"quality", &ProfileNote::quality},
    {"split_half_overlap", &ProfileNote::split_half_overlap},
    {"tool", &ProfileNote::tool},
};

// Reads one JSON object whose values are strings, numbers or words. Nested values are not ours.
class FlatObject {
 public:
  explicit FlatObject(std::string_view text) : rest_(text) {}

  // Calls visit(key, value) for each member; `value` is nothing for what is not a string.
  template <typename Visit>
  bool read(const Visit& visit) {
    if (!take('{')) return false;
    if (take('}')) return at_end();
    do {
      std::optional<std::string> key = string();
      if (!key || !take(':')) return false;
      std::optional<std::string> value;
      skip_space();
      if (rest_.starts_with('"')) {
        value = string();
        if (!value) return false;
      } else if (!skip_word()) {
        return false;
      }
      if (!visit(*key, value)) return false;
    } while (take(','));
    return take('}') && at_end();
  }

 private:
  void skip_space() {
    rest_.remove_prefix(std::min(rest_.size(), rest_.find_first_not_of(" \t\r\n")));
  }
  bool at_end() {
    skip_space();
    return rest_.empty();
  }
  bool take(char wanted) {
    skip_space();
    if (!rest_.starts_with(wanted)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  // A number, true, false or null.
  bool skip_word() {
    size_t size = std::min(rest_.size(), rest_.find_first_of(",} \t\r\n"));
    std::string_view word = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return !word.empty() && word.find_first_of("\"[]{}:\\") == word.npos;
  }
  std::optional<std::string> string() {
    if (!take('"')) return std::nullopt;
    std::string text;
    for (size_t i = 0; i < rest_.size(); i++) {
      if (rest_[i] == '"') {
        rest_.remove_prefix(i + 1);
        return text;
      }
      if (rest_[i] == '\\') {
        // The package escapes nothing but these two.
        if (++i == rest_.size() || (rest_[i] != '"' && rest_[i] != '\\')) return std::nullopt;
      } else if (rest_[i] < ' ' || rest_[i] > '~') {
        return std::nullopt;
      }
      text += rest_[i];
    }
    return std::nullopt;
  }

  std::string_view rest_;
};

}  // namespace

ProfileNote parse_profile_note(std::string_view text) {
  ProfileNote note;
  note.is_readable =
      FlatObject(text).read([&](const std::string& key, const std::optional<std::string>& value) {
        const NoteField* field =
            std::find_if(std::begin(kFields), std::end(kFields),
                         [&](const NoteField& known) { return known.key == key; });
        if (field == std::end(kFields)) return true;
        if (value) note.*(field->member) = *value;
        return value.has_value();
      });
  if (!note.is_readable) return ProfileNote{};
  // Zeros wait for the digest of a BOLT profile.
  if (find_bolt_digest_place(text)) note.bolt.clear();
  return note;
}

std::optional<ProfileNote> read_profile_note(const ElfImage& image) {
  std::optional<std::string_view> text = find_profile_note(image);
  if (!text) return std::nullopt;
  return parse_profile_note(*text);
}

CompileProfileUse find_compile_profile_use(const ElfImage& image) {
  std::optional<ProfileNote> note = read_profile_note(image);
  return note && !note->profile.empty() ? CompileProfileUse::kUsed : CompileProfileUse::kUnknown;
}

std::string describe_profile_note(const ProfileNote& note) {
  if (note.tool.empty()) return "its note cannot be read";
  std::string text;
  if (note.name.empty()) {
    text = "none of its own (a library linked into it may have one); prepared for BOLT by " +
           note.tool;
  } else {
    text = note.name;
    if (std::optional<Evidence> evidence = find_evidence(note.evidence))
      text += ", " + std::string(evidence_words(*evidence));
    if (!note.quality.empty()) text += ", quality " + note.quality;
    text += ", applied by " + note.tool;
    if (!note.profile.empty()) text += "\n" + note.profile;
  }
  if (!note.bolt.empty()) text += "\nBOLT's: " + note.bolt;
  return text;
}

}  // namespace pgo
