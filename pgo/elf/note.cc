// Both kinds of notes that matter here: the build ID, and which profile a binary was built with.
#include "pgo/elf/note.h"

namespace pgo {
namespace {

constexpr std::string_view kProfileSection = ".note.prodpgo", kProfileOwner = "ProdPGO";
constexpr uint32_t kProfileType = 1;
constexpr size_t kMaxProfileNote = 64 << 10;

}  // namespace

std::optional<Bytes> find_note(Bytes notes, std::string_view owner, uint32_t type) {
  ByteCursor cursor(notes);
  while (cursor.remaining() >= 12) {
    uint32_t name_size = cursor.u32(), desc_size = cursor.u32(), found = cursor.u32();
    Bytes name = cursor.take((uint64_t{name_size} + 3) & ~uint64_t{3});
    Bytes desc = cursor.take(desc_size);
    if (!cursor.ok()) break;
    if (found == type && until_nul(name) == owner && !desc.empty()) return desc;
    cursor.skip((4 - desc_size % 4) % 4);
  }
  return std::nullopt;
}

std::optional<std::string_view> find_profile_note(const ElfImage& image) {
  const ElfImage::Section* section = image.find_section(kProfileSection);
  if (section == nullptr) return std::nullopt;
  std::optional<Bytes> desc = find_note(section->bytes, kProfileOwner, kProfileType);
  if (!desc || desc->size() > kMaxProfileNote) return std::nullopt;
  return until_nul(*desc);
}

std::optional<std::string_view> find_bolt_digest_place(std::string_view note) {
  constexpr std::string_view kBefore = "\"bolt\":\"sha256:";
  constexpr size_t kDigits = 64;
  size_t place = note.find(kBefore);
  if (place == std::string_view::npos) return std::nullopt;
  std::string_view digits = note.substr(place + kBefore.size()).substr(0, kDigits);
  if (digits.size() != kDigits || digits.find_first_not_of('0') != std::string_view::npos)
    return std::nullopt;
  return digits;
}

}  // namespace pgo
