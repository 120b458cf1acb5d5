// The note of a binary (pgo/binary/profile_note.h) as JSON: the fields that it has, by the names
// that the CMake package gives them; null for a binary without a note.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "pgo/binary/profile_note.h"

namespace pgo {

inline nlohmann::json note_json(const std::optional<ProfileNote>& note) {
  if (!note) return nullptr;
  nlohmann::json json = nlohmann::json::object();
  const std::pair<const char*, const std::string*> fields[] = {
      {"bolt", &note->bolt},
      {"density", &note->density},
      {"evidence", &note->evidence},
      {"name", &note->name},
      {"profile", &note->profile},
      {"quality", &note->quality},
      {"split_half_overlap", &note->split_half_overlap},
      {"tool", &note->tool}};
  for (const auto& [key, value] : fields)
    if (!value->empty()) json[key] = *value;
  return json;
}

}  // namespace pgo
