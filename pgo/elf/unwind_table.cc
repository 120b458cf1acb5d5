#include "pgo/elf/unwind_table.h"

#include <algorithm>
#include <map>
#include <optional>

#include "pgo/base/number_text.h"

namespace pgo {
namespace {

// DW_EH_PE_*: the low half says how large, the high half relative to what.
constexpr uint8_t kAbsolute = 0x00, kFourBytes = 0x03, kEightBytes = 0x04, kSignedFour = 0x0b,
                  kSignedEight = 0x0c, kRelativeToHere = 0x10, kRelativeToData = 0x30,
                  kOmitted = 0xff;

Failure table_failure(const ElfImage& image, const std::string& what) {
  return fail(ErrorKind::kInput, image.path() + ": " + what);
}

// Reads a pointer; `section` is where the cursor's bytes are in memory.
std::optional<uint64_t> read_pointer(ByteCursor& cursor, uint8_t encoding, ElfAddr section) {
  uint64_t here = section.value + cursor.position(), value = 0;
  switch (encoding & 0x0f) {
    case kAbsolute:
    case kEightBytes:
    case kSignedEight: value = cursor.u64(); break;
    case kFourBytes: value = cursor.u32(); break;
    case kSignedFour:
      value = static_cast<uint64_t>(int64_t{static_cast<int32_t>(cursor.u32())});
      break;
    default: return std::nullopt;
  }
  if (!cursor.ok()) return std::nullopt;
  switch (encoding & 0x70) {
    case kAbsolute: return value;
    case kRelativeToHere: return value + here;
    case kRelativeToData: return value + section.value;
    default: return std::nullopt;
  }
}

// How the FDEs of this CIE write addresses; the cursor is behind its size and its zero.
std::optional<uint8_t> read_encoding(ByteCursor cursor, ElfAddr section) {
  uint8_t version = cursor.u8();
  std::string_view augmentation = cursor.c_string();
  cursor.uleb128();
  cursor.sleb128();
  if (version == 1)
    cursor.u8();
  else
    cursor.uleb128();
  if (!cursor.ok() || (version != 1 && version != 3)) return std::nullopt;
  uint8_t encoding = kAbsolute;
  if (!augmentation.starts_with('z')) return encoding;
  cursor.uleb128();
  for (char letter : augmentation.substr(1)) {
    if (letter == 'R') return cursor.u8();
    if (letter == 'L') cursor.u8();
    if (letter != 'P') continue;
    uint8_t how = cursor.u8();
    if (how != kOmitted && !read_pointer(cursor, how & 0x0f, section)) return std::nullopt;
  }
  return cursor.ok() ? std::optional(encoding) : std::nullopt;
}

// The FDEs of .eh_frame, by their own address.
using Entries = std::map<uint64_t, UnwindTable::Range>;

Result<Entries> read_entries(const ElfImage& image, const ElfImage::Section& section) {
  Entries entries;
  std::map<uint64_t, uint8_t> encodings;  // of the CIEs, by offset
  ByteCursor cursor(section.bytes);
  while (cursor.remaining() >= 4) {
    uint64_t start = cursor.position(), size = cursor.u32();
    if (size == 0) continue;  // the end, of one of several that were put together
    auto broken = [&](const std::string& what) {
      return table_failure(image, ".eh_frame: entry at offset " + format_hex(start) + ": " + what);
    };
    if (size == 0xffffffff) return broken("is of the 64-bit format, which is not read");
    uint64_t id_at = cursor.position(), end = id_at + size;
    if (size < 4 || size > cursor.remaining()) return broken("does not fit into the section");
    ByteCursor entry(section.bytes.first(static_cast<size_t>(end)));
    entry.skip(id_at);
    uint32_t distance = entry.u32();
    if (distance == 0) {
      auto encoding = read_encoding(entry, section.addr);
      if (!encoding) return broken("is a CIE that cannot be read");
      encodings[start] = *encoding;
    } else {
      auto encoding = encodings.find(id_at - distance);
      if (encoding == encodings.end()) return broken("names no CIE before it");
      auto begin = read_pointer(entry, encoding->second, section.addr);
      auto length = read_pointer(entry, encoding->second & 0x0f, section.addr);
      if (!begin || !length) return broken("has addresses that cannot be read");
      entries[section.addr.value + start] = {ElfAddr{*begin}, ElfAddr{*begin + *length}};
    }
    cursor.skip(size);
  }
  return entries;
}

}  // namespace

bool UnwindTable::is_in(const ElfImage& image) {
  return image.find_section(".eh_frame_hdr") != nullptr &&
         image.find_section(".eh_frame") != nullptr;
}

Result<UnwindTable> UnwindTable::read(const ElfImage& image) {
  const ElfImage::Section* header = image.find_section(".eh_frame_hdr");
  const ElfImage::Section* frames = image.find_section(".eh_frame");
  if (header == nullptr || frames == nullptr)
    return table_failure(image, "has no .eh_frame_hdr with an .eh_frame");
  PGO_TRY(Entries entries, read_entries(image, *frames));

  ByteCursor cursor(header->bytes);
  uint8_t version = cursor.u8(), frame_how = cursor.u8(), count_how = cursor.u8(),
          table_how = cursor.u8();
  if (!cursor.ok() || version != 1) return table_failure(image, ".eh_frame_hdr: is not version 1");
  auto frame = read_pointer(cursor, frame_how, header->addr);
  if (!frame || *frame != frames->addr.value)
    return table_failure(
        image, ".eh_frame_hdr: does not point to .eh_frame at " + format_hex(frames->addr.value));
  std::optional<uint64_t> counted = read_pointer(cursor, count_how, header->addr);
  if (!counted) return table_failure(image, ".eh_frame_hdr: has no table");
  uint64_t count = *counted, previous = 0;
  UnwindTable table;
  for (uint64_t i = 0; i < count; i++) {
    auto begin = read_pointer(cursor, table_how, header->addr);
    auto entry = read_pointer(cursor, table_how, header->addr);
    if (!begin || !entry)
      return table_failure(
          image, ".eh_frame_hdr: ends within its table of " + std::to_string(count) + " entries");
    if (*begin < previous)
      return table_failure(image, ".eh_frame_hdr: is not sorted at " + format_hex(*begin));
    previous = *begin;
    auto found = entries.find(*entry);
    if (found == entries.end() || found->second.begin.value != *begin)
      return table_failure(
          image, ".eh_frame_hdr: the entry for " + format_hex(*begin) + " is not in .eh_frame");
    table.ranges_.push_back(found->second);
  }
  return table;
}

bool UnwindTable::covers(ElfAddr addr) const {
  auto after = std::upper_bound(
      ranges_.begin(), ranges_.end(), addr,
      [](ElfAddr wanted, const Range& range) { return wanted.value < range.begin.value; });
  return after != ranges_.begin() && addr.value < std::prev(after)->end.value;
}

}  // namespace pgo
