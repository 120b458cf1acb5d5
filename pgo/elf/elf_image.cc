#include "pgo/elf/elf_image.h"

#include <elf.h>
#include <gelf.h>
#include <libelf.h>

#include <memory>

namespace pgo {
namespace {

using ElfHandle = std::unique_ptr<Elf, decltype(&elf_end)>;

Failure elf_failure(const std::string& name, const std::string& what) {
  return fail(ErrorKind::kInput, name + ": " + what);
}

Failure libelf_failure(const std::string& name, const char* what) {
  const char* reason = elf_errmsg(-1);
  return elf_failure(name, std::string(what) + ": " + (reason ? reason : "unknown error"));
}

// The bytes [offset, offset + size) of the file, or nothing when they are not all there.
Bytes slice(Bytes file, uint64_t offset, uint64_t size) {
  if (offset > file.size() || size > file.size() - offset) return {};
  return file.subspan(static_cast<size_t>(offset), static_cast<size_t>(size));
}

// Finds NT_GNU_BUILD_ID in the contents of a note section or segment.
//   u32 name size, u32 descriptor size, u32 type, name and descriptor, each padded to 4 bytes
BuildId find_build_id(Bytes notes) {
  ByteCursor cursor(notes);
  while (cursor.remaining() >= 12) {
    uint32_t name_size = cursor.u32(), desc_size = cursor.u32(), type = cursor.u32();
    Bytes name = cursor.take((uint64_t{name_size} + 3) & ~uint64_t{3});
    Bytes desc = cursor.take(desc_size);
    if (!cursor.ok()) break;
    if (type == NT_GNU_BUILD_ID && until_nul(name) == "GNU" && !desc.empty()) return BuildId(desc);
    cursor.skip((4 - desc_size % 4) % 4);
  }
  return {};
}

}  // namespace

bool ElfImage::is_elf(Bytes bytes) {
  return bytes.size() >= SELFMAG && std::memcmp(bytes.data(), ELFMAG, SELFMAG) == 0;
}

Result<ElfImage> ElfImage::open(const std::string& path) {
  PGO_TRY(MappedFile file, MappedFile::open(path));
  PGO_TRY(ElfImage image, parse(file.bytes(), path));
  image.file_ = std::move(file);
  return image;
}

Result<ElfImage> ElfImage::parse(Bytes bytes, const std::string& name) {
  if (!is_elf(bytes)) return elf_failure(name, "not an ELF file");
  if (bytes.size() < sizeof(Elf64_Ehdr)) return elf_failure(name, "ELF header is cut short");
  if (bytes[EI_CLASS] != ELFCLASS64 || bytes[EI_DATA] != ELFDATA2LSB)
    return fail(ErrorKind::kUnsupported, name + ": only 64-bit little-endian ELF files are read");

  elf_version(EV_CURRENT);
  // elf_memory takes a non-const pointer, but does not write through it for reading commands.
  ElfHandle elf(
      elf_memory(const_cast<char*>(reinterpret_cast<const char*>(bytes.data())), bytes.size()),
      elf_end);
  GElf_Ehdr header;
  if (!elf || gelf_getehdr(elf.get(), &header) == nullptr)
    return libelf_failure(name, "cannot read the ELF header");

  ElfImage image;
  image.path_ = name;
  image.bytes_ = bytes;
  image.machine_ = header.e_machine;
  image.kind_ = header.e_type == ET_EXEC  ? Kind::kExecutable
                : header.e_type == ET_DYN ? Kind::kShared
                                          : Kind::kOther;

  size_t segment_count = 0;
  if (elf_getphdrnum(elf.get(), &segment_count) != 0)
    return libelf_failure(name, "cannot read the program headers");
  for (size_t i = 0; i < segment_count; i++) {
    GElf_Phdr segment;
    if (gelf_getphdr(elf.get(), static_cast<int>(i), &segment) == nullptr)
      return libelf_failure(name, "cannot read the program headers");
    if (segment.p_type == PT_LOAD)
      image.segments_.push_back({FileOffset{segment.p_offset}, segment.p_filesz,
                                 ElfAddr{segment.p_vaddr}, segment.p_memsz,
                                 (segment.p_flags & PF_X) != 0});
    if (segment.p_type == PT_NOTE && image.build_id_.empty())
      image.build_id_ = find_build_id(slice(bytes, segment.p_offset, segment.p_filesz));
  }

  size_t section_count = 0, names = 0;
  if (elf_getshdrnum(elf.get(), &section_count) != 0 ||
      (section_count > 0 && elf_getshdrstrndx(elf.get(), &names) != 0))
    return libelf_failure(name, "cannot read the section headers");
  Elf_Scn* symbol_table = nullptr;
  GElf_Shdr symbol_table_header{};
  for (size_t i = 0; i < section_count; i++) {
    GElf_Shdr section;
    Elf_Scn* handle = elf_getscn(elf.get(), i);
    if (handle == nullptr || gelf_getshdr(handle, &section) == nullptr)
      return libelf_failure(name, "cannot read the section headers");
    const char* section_name = elf_strptr(elf.get(), names, section.sh_name);
    bool has_bytes = section.sh_type != SHT_NOBITS && section.sh_type != SHT_NULL;
    image.sections_.push_back(
        {section_name ? section_name : "", ElfAddr{section.sh_addr}, section.sh_size,
         has_bytes ? slice(bytes, section.sh_offset, section.sh_size) : Bytes{},
         (section.sh_flags & SHF_ALLOC) != 0, (section.sh_flags & SHF_EXECINSTR) != 0});
    if (section.sh_type == SHT_SYMTAB && symbol_table == nullptr) {
      symbol_table = handle;
      symbol_table_header = section;
    }
    if (section.sh_type == SHT_NOTE && image.build_id_.empty())
      image.build_id_ = find_build_id(image.sections_.back().bytes);
  }

  if (symbol_table != nullptr && symbol_table_header.sh_entsize != 0) {
    Elf_Data* data = elf_getdata(symbol_table, nullptr);
    if (data == nullptr) return libelf_failure(name, "cannot read the symbol table");
    uint64_t count = data->d_size / symbol_table_header.sh_entsize;
    for (uint64_t i = 0; i < count; i++) {
      GElf_Sym symbol;
      if (gelf_getsym(data, static_cast<int>(i), &symbol) == nullptr) break;
      if (symbol.st_shndx == SHN_UNDEF || symbol.st_shndx >= image.sections_.size()) continue;
      const char* symbol_name = elf_strptr(elf.get(), symbol_table_header.sh_link, symbol.st_name);
      unsigned type = GELF_ST_TYPE(symbol.st_info);
      image.symbols_.push_back({symbol_name ? symbol_name : "", ElfAddr{symbol.st_value},
                                symbol.st_size, symbol.st_shndx,
                                type == STT_FUNC || type == STT_GNU_IFUNC});
    }
  }
  return image;
}

const ElfImage::Section* ElfImage::find_section(std::string_view name) const {
  for (const Section& section : sections_)
    if (section.name == name) return &section;
  return nullptr;
}

std::optional<ElfImage::DebugLink> ElfImage::debug_link() const {
  const Section* section = find_section(".gnu_debuglink");
  if (section == nullptr) return std::nullopt;
  ByteCursor cursor(section->bytes);
  std::string_view file_name = cursor.c_string();
  cursor.skip((4 - cursor.position() % 4) % 4);
  uint32_t crc = cursor.u32();
  if (!cursor.ok()) return std::nullopt;
  return DebugLink{file_name, crc};
}

std::optional<ElfAddr> ElfImage::to_elf_addr(FileOffset offset, SegmentKind kind) const {
  for (const Segment& segment : segments_) {
    uint64_t inside = offset.value - segment.offset.value;
    if (inside < segment.file_size && (kind == SegmentKind::kAny || segment.executable))
      return ElfAddr{segment.addr.value + inside};
  }
  return std::nullopt;
}

}  // namespace pgo
