// ProfileNote: what a binary's note says of the profile that it was built with. pgo/elf/note.h
// finds the bytes of the note; here its one line of JSON becomes a struct.
//
//   std::optional<ProfileNote> note = read_profile_note(image);
//   if (note && note->is_readable) ... note->profile   "sha256:fe8afb7e..."
//
// Anybody may have written the note, so only the known fields are kept, and only printable ASCII.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "pgo/elf/elf_image.h"
#include "pgo/profile/bolt_evidence.h"

namespace pgo {

// The text fields are as the CMake package wrote them (cmake-modules/ProdPGONote.cmake); empty when
// the note has no such field.
struct ProfileNote {
  bool is_readable = false;       // false: not our JSON, so that all fields are empty
  std::string name;               // of prodpgo_profile()
  std::string profile;            // digest of the profile, "sha256:..."
  std::string evidence, quality;  // what the counts rest on, and what the profile is worth
  std::string density, split_half_overlap;
  std::string tool;  // "ProdPGO 0.1.0"
  std::string bolt;  // digest of the BOLT profile; empty until BOLT has run

  bool operator==(const ProfileNote&) const = default;
};

// The note of a binary; nothing when it has none.
std::optional<ProfileNote> read_profile_note(const ElfImage& image);
// Does the note say that the binary was built with a compile profile? Without a note it is unknown.
CompileProfileUse find_compile_profile_use(const ElfImage& image);
// The note with this text. Linear in its size.
ProfileNote parse_profile_note(std::string_view text);

// For people: name, evidence, quality and tool, and the digests on lines of their own.
std::string describe_profile_note(const ProfileNote& note);

}  // namespace pgo
