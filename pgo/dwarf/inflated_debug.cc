#include "pgo/dwarf/inflated_debug.h"

#include <llvm/Object/Decompressor.h>
#include <llvm/Object/ELFObjectFile.h>
#include <llvm/Support/Compression.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

#include "pgo/base/bytes.h"
#include "pgo/base/parallel.h"
#include "pgo/elf/inflated_size.h"
#include "pgo/profile/accounting.h"

namespace pgo {
namespace {

using llvm::object::ELF64LE;
using Header = ELF64LE::Ehdr;
using SectionHeader = ELF64LE::Shdr;
using Compression = llvm::DebugCompressionType;

// A section that the new file has contents of.
struct KeptSection {
  size_t number = 0;
  llvm::StringRef name;
  llvm::ArrayRef<uint8_t> stored;  // without a header of compression
  Compression compression = Compression::None;
  uint64_t offset = 0, size = 0;  // in the new file
  bool broken = false;
};

bool is_compressed(const SectionHeader& header) {
  return (header.sh_flags & llvm::ELF::SHF_COMPRESSED) != 0 &&
         header.sh_type != llvm::ELF::SHT_NOBITS;
}

uint64_t align_8(uint64_t offset) { return (offset + 7) & ~uint64_t{7}; }

// A section as it is stored; nothing of one whose bytes are not there.
std::optional<KeptSection> keep_stored(const llvm::object::ELFFile<ELF64LE>& elf,
                                       const SectionHeader& header, llvm::StringRef name,
                                       DebugDamage& damage) {
  auto contents = elf.getSectionContents(header);
  if (!contents) {
    damage.add(name.str(), contents.takeError());
    return std::nullopt;
  }
  KeptSection section;
  section.name = name;
  section.stored = *contents;
  section.size = contents->size();
  return section;
}

// A compressed section; nothing of one that must not be inflated.
std::optional<KeptSection> keep_compressed(KeptSection section, DebugDamage& damage) {
  const llvm::ArrayRef<uint8_t> stored = section.stored;
  llvm::StringRef bytes = as_text(stored);
  auto decompressor = llvm::object::Decompressor::create(section.name, bytes, true, true);
  if (!decompressor) {
    damage.add(section.name.str(), decompressor.takeError());
    return std::nullopt;
  }
  ELF64LE::Chdr header;
  std::memcpy(&header, stored.data(), sizeof header);
  section.compression =
      header.ch_type == llvm::ELF::ELFCOMPRESS_ZLIB ? Compression::Zlib : Compression::Zstd;
  section.stored = stored.drop_front(sizeof header);
  section.size = header.ch_size;
  if (section.size > max_inflated_section(stored.size())) {
    damage.add(section.name.str(), "claims to inflate from " + std::to_string(stored.size()) +
                                       " bytes to " + std::to_string(section.size));
    return std::nullopt;
  }
  return section;
}

// Which sections the new file has the contents of: those of debug information, those that need
// inflating, and of an object file, whose relocations LLVM applies, all.
bool is_wanted(const SectionHeader& header, llvm::StringRef name, bool is_linked) {
  if (header.sh_type == llvm::ELF::SHT_NOBITS) return false;
  return name.starts_with(".debug_") || is_compressed(header) || !is_linked;
}

// The wanted sections and the section names of `elf`, placed one behind another from `offset` on.
std::vector<KeptSection> place_sections(const llvm::object::ELFFile<ELF64LE>& elf,
                                        llvm::ArrayRef<SectionHeader> headers, uint64_t& offset,
                                        DebugDamage& damage) {
  std::vector<KeptSection> kept;
  const bool is_linked = elf.getHeader().e_type != llvm::ELF::ET_REL;
  const uint64_t most = max_inflated_file(elf.getBufSize());
  uint64_t names = elf.getHeader().e_shstrndx;
  if (names == llvm::ELF::SHN_XINDEX && !headers.empty()) names = headers[0].sh_link;
  for (size_t i = 0; i < headers.size(); i++) {
    auto name = elf.getSectionName(headers[i]);
    if (!name) {
      damage.add("section " + std::to_string(i), name.takeError());
      continue;
    }
    if (i != names && !is_wanted(headers[i], *name, is_linked)) continue;
    std::optional<KeptSection> section = keep_stored(elf, headers[i], *name, damage);
    if (section && is_compressed(headers[i])) {
      // Names were read as they are stored.
      if (i == names)
        damage.add(name->str(), "the names of sections are compressed");
      else
        section = keep_compressed(*section, damage);
    }
    if (!section) continue;
    if (saturating_add(align_8(offset), section->size) > most) {
      damage.add(name->str(), "no room for " + std::to_string(section->size) + " bytes of it");
      continue;
    }
    section->number = i;
    section->offset = align_8(offset);
    offset = section->offset + section->size;
    kept.push_back(*section);
  }
  return kept;
}

// Puts the contents at `place`, which has room for all of them.
llvm::Error write_contents(const KeptSection& section, llvm::MutableArrayRef<uint8_t> place) {
  if (section.compression == Compression::None) {
    std::copy(section.stored.begin(), section.stored.end(), place.begin());
    return llvm::Error::success();
  }
  size_t size = place.size();
  llvm::Error error = section.compression == Compression::Zlib
                          ? llvm::compression::zlib::decompress(section.stored, place.data(), size)
                          : llvm::compression::zstd::decompress(section.stored, place.data(), size);
  if (error || size == place.size()) return error;
  return llvm::createStringError("inflates to " + std::to_string(size) + " bytes, not to the " +
                                 std::to_string(place.size()) + " that it claims");
}

void write_headers(llvm::ArrayRef<SectionHeader> headers, const std::vector<KeptSection>& kept,
                   uint64_t headers_at, const Header& old_header, uint8_t* file) {
  Header header = old_header;
  header.e_shoff = headers_at;
  header.e_phoff = 0;
  header.e_phnum = 0;
  std::memcpy(file, &header, sizeof header);
  std::vector<SectionHeader> written(headers.begin(), headers.end());
  for (SectionHeader& section : written) {
    if (section.sh_type != llvm::ELF::SHT_NULL) section.sh_type = llvm::ELF::SHT_NOBITS;
    section.sh_flags = section.sh_flags & ~uint64_t{llvm::ELF::SHF_COMPRESSED};
  }
  for (const KeptSection& section : kept) {
    if (section.broken) continue;
    SectionHeader& mine = written[section.number];
    mine.sh_type = headers[section.number].sh_type;
    mine.sh_offset = section.offset;
    mine.sh_size = section.size;
  }
  std::memcpy(file + headers_at, written.data(), written.size() * sizeof(SectionHeader));
}

}  // namespace

Result<std::unique_ptr<llvm::MemoryBuffer>> inflate_debug(const llvm::object::ObjectFile& object,
                                                          unsigned jobs, DebugDamage& damage) {
  using Nothing = std::unique_ptr<llvm::MemoryBuffer>;
  auto* elf_object = llvm::dyn_cast<llvm::object::ELF64LEObjectFile>(&object);
  if (elf_object == nullptr)
    return fail(ErrorKind::kUnsupported,
                object.getFileName().str() + ": only 64-bit little-endian ELF files are read");
  const llvm::object::ELFFile<ELF64LE>& elf = elf_object->getELFFile();
  auto headers = elf.sections();
  if (!headers) {
    damage.add("section headers", headers.takeError());
    return Nothing();
  }
  if (std::none_of(headers->begin(), headers->end(), is_compressed)) return Nothing();
  uint64_t end = sizeof(Header);
  std::vector<KeptSection> kept = place_sections(elf, *headers, end, damage);
  uint64_t headers_at = align_8(end), size = headers_at + headers->size() * sizeof(SectionHeader);
  auto file = llvm::WritableMemoryBuffer::getNewUninitMemBuffer(static_cast<size_t>(size),
                                                                object.getFileName());
  if (!file)
    return fail(ErrorKind::kUnsupported, object.getFileName().str() +
                                             ": its compressed debug sections take " +
                                             std::to_string(size) +
                                             " bytes when inflated, more than there is memory; are "
                                             "they damaged?");
  auto* bytes = reinterpret_cast<uint8_t*>(file->getBufferStart());
  parallel_for(kept.size(), jobs, [&](size_t i) {
    KeptSection& section = kept[i];
    if (llvm::Error error = write_contents(section, {bytes + section.offset, section.size})) {
      damage.add(section.name.str(), std::move(error));
      section.broken = true;
    }
  });
  write_headers(*headers, kept, headers_at, elf.getHeader(), bytes);
  return Nothing(std::move(file));
}

}  // namespace pgo
