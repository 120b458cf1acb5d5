#include "pgo/symbolize/inflated_debug.h"

#include <llvm/Object/Decompressor.h>
#include <llvm/Object/ELFObjectFile.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

#include "pgo/base/parallel.h"

namespace pgo {
namespace {

using llvm::object::Decompressor;
using llvm::object::ELF64LE;
using Header = ELF64LE::Ehdr;
using SectionHeader = ELF64LE::Shdr;

// A section that the new file has contents of.
struct KeptSection {
  size_t number = 0;
  llvm::StringRef name;
  llvm::ArrayRef<uint8_t> stored;
  std::optional<Decompressor> decompressor;  // when it is compressed
  uint64_t offset = 0, size = 0;             // in the new file
  bool broken = false;
};

// No compression does better than this (zstd's runs of one byte come close); a section that claims
// to is damaged, and so are sections that claim more than kMostInflated together.
constexpr uint64_t kBestRatio = uint64_t{1} << 16, kMostInflated = uint64_t{1} << 40;

uint64_t align_8(uint64_t offset) { return (offset + 7) & ~uint64_t{7}; }

// What stays of a section with this header; nothing of one whose bytes are not there.
std::optional<KeptSection> keep(const llvm::object::ELFFile<ELF64LE>& elf,
                                const SectionHeader& header, llvm::StringRef name,
                                DebugDamage& damage) {
  auto contents = elf.getSectionContents(header);
  if (!contents) {
    damage.add(name.str(), contents.takeError());
    return std::nullopt;
  }
  KeptSection section;
  section.stored = *contents;
  section.size = contents->size();
  if ((header.sh_flags & llvm::ELF::SHF_COMPRESSED) == 0) return section;
  llvm::StringRef bytes(reinterpret_cast<const char*>(contents->data()), contents->size());
  auto decompressor = Decompressor::create(name, bytes, true, true);
  if (!decompressor) {
    damage.add(name.str(), decompressor.takeError());
    return std::nullopt;
  }
  section.decompressor = *decompressor;
  section.size = section.decompressor->getDecompressedSize();
  if (section.size / kBestRatio > contents->size()) {
    damage.add(name.str(), "claims to inflate from " + std::to_string(contents->size()) +
                               " bytes to " + std::to_string(section.size));
    return std::nullopt;
  }
  return section;
}

// The debug sections and the section names of `elf`, placed one behind another from `offset` on.
std::vector<KeptSection> place_sections(const llvm::object::ELFFile<ELF64LE>& elf,
                                        llvm::ArrayRef<SectionHeader> headers, uint64_t& offset,
                                        DebugDamage& damage) {
  std::vector<KeptSection> kept;
  uint64_t names = elf.getHeader().e_shstrndx;
  if (names == llvm::ELF::SHN_XINDEX && !headers.empty()) names = headers[0].sh_link;
  for (size_t i = 0; i < headers.size(); i++) {
    auto name = elf.getSectionName(headers[i]);
    if (!name) {
      damage.add("section " + std::to_string(i), name.takeError());
      continue;
    }
    bool is_debug = headers[i].sh_type != llvm::ELF::SHT_NOBITS && name->starts_with(".debug_");
    if (i != names && !is_debug) continue;
    std::optional<KeptSection> section = keep(elf, headers[i], *name, damage);
    if (!section) continue;
    if (align_8(offset) + section->size > kMostInflated) {
      damage.add(name->str(), "no room for " + std::to_string(section->size) + " bytes of it");
      continue;
    }
    section->number = i;
    section->name = *name;
    section->offset = align_8(offset);
    offset = section->offset + section->size;
    kept.push_back(*section);
  }
  return kept;
}

void write_headers(llvm::ArrayRef<SectionHeader> headers, const std::vector<KeptSection>& kept,
                   uint64_t headers_at, const Header& old_header, uint8_t* file) {
  Header header = old_header;
  header.e_shoff = headers_at;
  header.e_phoff = 0;
  header.e_phnum = 0;
  std::memcpy(file, &header, sizeof header);
  std::vector<SectionHeader> written(headers.begin(), headers.end());
  for (SectionHeader& section : written)
    if (section.sh_type != llvm::ELF::SHT_NULL) section.sh_type = llvm::ELF::SHT_NOBITS;
  for (const KeptSection& section : kept) {
    if (section.broken) continue;
    SectionHeader& mine = written[section.number];
    mine.sh_type = headers[section.number].sh_type;
    mine.sh_flags = mine.sh_flags & ~uint64_t{llvm::ELF::SHF_COMPRESSED};
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
  if (elf_object == nullptr || object.isRelocatableObject()) return Nothing();
  const llvm::object::ELFFile<ELF64LE>& elf = elf_object->getELFFile();
  auto headers = elf.sections();
  if (!headers) {
    damage.add("section headers", headers.takeError());
    return Nothing();
  }
  uint64_t end = sizeof(Header);
  std::vector<KeptSection> kept = place_sections(elf, *headers, end, damage);
  if (std::none_of(kept.begin(), kept.end(), [](const auto& s) { return s.decompressor; }))
    return Nothing();

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
    llvm::MutableArrayRef<uint8_t> place(bytes + section.offset, section.size);
    if (!section.decompressor) {
      std::copy(section.stored.begin(), section.stored.end(), place.begin());
    } else if (llvm::Error error = section.decompressor->decompress(place)) {
      damage.add(section.name.str(), std::move(error));
      section.broken = true;
    }
  });
  write_headers(*headers, kept, headers_at, elf.getHeader(), bytes);
  return Nothing(std::move(file));
}

}  // namespace pgo
