// Notes: small records that ELF files carry in sections and segments of their own, each with an
// owner, a type that only the owner understands, and contents.
//
//   u32 name size, u32 descriptor size, u32 type, name and descriptor, each padded to 4 bytes
//
//   std::optional<Bytes> id = find_note(section.bytes, "GNU", NT_GNU_BUILD_ID);
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "pgo/base/bytes.h"
#include "pgo/elf/elf_image.h"

namespace pgo {

// The descriptor of the first such note in the contents of a note section or segment. Linear in
// their size; a note that ends early ends the search.
std::optional<Bytes> find_note(Bytes notes, std::string_view owner, uint32_t type);

// What the CMake package writes into a binary that was built with a profile: one line of JSON (its
// fields are listed in cmake-modules/ProdPGONote.cmake). It is whatever bytes the file has there,
// at most 64 KiB of them.
std::optional<std::string_view> find_profile_note(const ElfImage& image);

// The place in that text for the digest of the BOLT profile, where the linker's output has zeros:
// 64 digits. Nothing when it has none, or other digits.
std::optional<std::string_view> find_bolt_digest_place(std::string_view note);

}  // namespace pgo
