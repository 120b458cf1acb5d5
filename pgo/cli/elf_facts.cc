#include "pgo/cli/elf_facts.h"

#include <algorithm>

#include "pgo/cli/messages.h"
#include "pgo/elf/note.h"

namespace pgo {

Result<DebugPlace> find_debug_info(const ElfImage& image, const DebugPlaces& places) {
  if (has_debug_info(image)) return DebugPlace{image.path(), true};
  PGO_TRY(std::optional<std::string> path, find_debug_file(image, places));
  return DebugPlace{path.value_or(""), false};
}

std::string describe_debug_info(const ElfImage& image, const DebugPlace& place) {
  if (place.own) return "in the file";
  if (!place.path.empty()) return "in " + place.path;
  std::optional<ElfImage::DebugLink> link = image.debug_link();
  if (link)
    return "not found; it should be in " + std::string(link->file_name) +
           " (.gnu_debuglink): name it with --debug-file";
  return "none: counts cannot be given to source lines; " +
         advise_on_missing(image, std::string("build with ") + kDebugOptions);
}

std::string advise_on_missing(const ElfImage& image, const std::string& build) {
  if (!image.symbols().empty()) return build;
  return "it is stripped: give the file as it was linked, or name its debug file with --debug-file";
}

nlohmann::json profile_note(const ElfImage& image) {
  std::optional<std::string_view> text = find_profile_note(image);
  if (!text) return nullptr;
  nlohmann::json note = nlohmann::json::parse(*text, nullptr, /*allow_exceptions=*/false);
  nlohmann::json known = nlohmann::json::object();
  if (!note.is_object()) return known;
  for (const char* field :
       {"bolt", "class", "density", "grade", "name", "profile", "split_half_overlap", "tool"}) {
    if (!note.contains(field)) continue;
    if (!note[field].is_string()) return nlohmann::json::object();
    const std::string& value = note[field].get_ref<const std::string&>();
    if (!std::all_of(value.begin(), value.end(), [](char c) { return c >= ' ' && c <= '~'; }))
      return nlohmann::json::object();
    known[field] = value;
  }
  if (find_bolt_digest_place(*text)) known.erase("bolt");  // nothing yet
  return known;
}

std::string describe_profile_note(const nlohmann::json& note) {
  if (!note.contains("tool")) return "its note cannot be read";
  std::string text;
  if (note.contains("name")) {
    text = note["name"];
    if (note.contains("grade")) text += ", grade " + note["grade"].get<std::string>();
    if (note.contains("class")) text += " (" + note["class"].get<std::string>() + ")";
    text += ", applied by " + note["tool"].get<std::string>();
    if (note.contains("profile")) text += "\n" + note["profile"].get<std::string>();
  } else {
    text = "none of its own (a library in it may have one); made ready for BOLT by " +
           note["tool"].get<std::string>();
  }
  if (note.contains("bolt")) text += "\nBOLT's: " + note["bolt"].get<std::string>();
  return text;
}

void fill_bolt_digest(const ElfImage& image, const std::string& digest, std::string& contents) {
  std::optional<std::string_view> note = find_profile_note(image);
  std::optional<std::string_view> place = note ? find_bolt_digest_place(*note) : std::nullopt;
  size_t colon = digest.find(':');
  if (!place || digest.size() - colon - 1 != place->size()) return;
  auto offset = reinterpret_cast<const uint8_t*>(place->data()) - image.bytes().data();
  contents.replace(static_cast<size_t>(offset), place->size(), digest, colon + 1);
}

}  // namespace pgo
