#include "pgo/cli/elf_facts.h"

#include <algorithm>

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
  return "none: counts cannot be given to source lines; build with -gline-tables-only or -g";
}

nlohmann::json profile_note(const ElfImage& image) {
  std::optional<std::string_view> text = find_profile_note(image);
  if (!text) return nullptr;
  nlohmann::json note = nlohmann::json::parse(*text, nullptr, /*allow_exceptions=*/false);
  nlohmann::json known = nlohmann::json::object();
  if (!note.is_object()) return known;
  for (const char* field : {"grade", "name", "profile", "tool"}) {
    if (!note.contains(field)) continue;
    if (!note[field].is_string()) return nlohmann::json::object();
    const std::string& value = note[field].get_ref<const std::string&>();
    if (!std::all_of(value.begin(), value.end(), [](char c) { return c >= ' ' && c <= '~'; }))
      return nlohmann::json::object();
    known[field] = value;
  }
  return known;
}

std::string describe_profile_note(const nlohmann::json& note) {
  if (!note.contains("name")) return "its note cannot be read";
  std::string text = note["name"];
  if (note.contains("grade")) text += ", grade " + note["grade"].get<std::string>();
  if (note.contains("tool")) text += ", applied by " + note["tool"].get<std::string>();
  if (note.contains("profile")) text += "\n" + note["profile"].get<std::string>();
  return text;
}

}  // namespace pgo
