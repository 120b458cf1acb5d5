#include "pgo/elf/elf_image.h"

#include <elf.h>
#include <gelf.h>
#include <libelf.h>

#include <algorithm>
#include <map>
#include <memory>
#include <tuple>
#include <utility>

#include "pgo/elf/note.h"

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

// The build ID in the contents of a note section or segment.
BuildId find_build_id(Bytes notes) {
  std::optional<Bytes> id = find_note(notes, "GNU", NT_GNU_BUILD_ID);
  return id ? BuildId(*id) : BuildId();
}

// The names in a string table. A linker may let names share bytes, and libelf's own look-up
// searches for the end of each: in a damaged or malicious file all could be one long name, and
// reading them, here and by whoever uses them, would take the square of the file's size. So all
// names together may only be `kShare` times as long as the table and the headers that name them.
class NameTable {
 public:
  static constexpr uint64_t kShare = 64;

  // `header_size`: of all headers or symbols, in bytes.
  NameTable(Bytes strings, uint64_t header_size)
      : strings_(strings), budget_(kShare * (strings.size() + header_size)) {}

  // The name at `offset`; empty when none ends within the table. Nothing once they are too long.
  std::optional<std::string_view> at(uint64_t offset) {
    if (offset >= strings_.size()) return std::string_view();
    Bytes rest = strings_.subspan(static_cast<size_t>(offset));
    std::string_view name = until_nul(rest);
    if (name.size() > budget_) return std::nullopt;
    budget_ -= name.size();
    return name.size() == rest.size() ? std::string_view() : name;
  }

 private:
  Bytes strings_;
  uint64_t budget_;
};

Failure names_too_long(const std::string& file, const char* whose) {
  return elf_failure(file, std::string("the names of its ") + whose +
                               " overlap and are together more than " +
                               std::to_string(NameTable::kShare) +
                               " times as long as its tables of names: is it damaged?");
}

// libelf is lenient about files that end early: it shows fewer sections, or none. Here such a file
// is an error, because a half copied binary would give a half empty profile.
Result<void> check_whole(const GElf_Ehdr& header, uint64_t file_size, const std::string& name) {
  struct Table {
    const char* what;
    uint64_t offset, size;
  };
  // When there are too many sections for its field, e_shnum is 0 and the first header has the
  // count.
  uint64_t sections = std::max<uint64_t>(header.e_shnum, 1);
  for (const Table& table :
       {Table{"program", header.e_phoff, header.e_phnum * sizeof(Elf64_Phdr)},
        Table{"section", header.e_shoff, header.e_shoff ? sections * sizeof(Elf64_Shdr) : 0}}) {
    if (table.size == 0) continue;
    if (table.offset <= file_size && table.size <= file_size - table.offset) continue;
    return elf_failure(name, "ends at byte " + std::to_string(file_size) + ", but its " +
                                 table.what + " headers are at byte " +
                                 std::to_string(table.offset) + ": a truncated copy?");
  }
  return ok();
}

}  // namespace

bool ElfImage::is_elf(Bytes bytes) {
  return bytes.size() >= SELFMAG && std::memcmp(bytes.data(), ELFMAG, SELFMAG) == 0;
}

Result<ElfImage> ElfImage::open(const std::string& path) {
  PGO_TRY(MappedFile file, MappedFile::open(path, {.wants = is_elf}));
  PGO_TRY(ElfImage image, parse(file.bytes(), path));
  image.file_ = std::move(file);
  return image;
}

Result<ElfImage> ElfImage::parse(Bytes bytes, const std::string& name, SymbolTable table) {
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
  PGO_CHECK(check_whole(header, bytes.size(), name));

  ElfImage image;
  image.path_ = name;
  image.bytes_ = bytes;
  image.machine_ = header.e_machine;
  image.kind_ = header.e_type == ET_EXEC  ? Kind::kExecutable
                : header.e_type == ET_DYN ? Kind::kShared
                                          : Kind::kOther;
  PGO_CHECK(image.read_segments(elf.get()));
  PGO_CHECK(image.read_sections(elf.get()));
  PGO_CHECK(image.read_symbols(elf.get(), table));
  return image;
}

Result<void> ElfImage::read_segments(Elf* elf) {
  constexpr size_t kMaxExecutable = 32;  // each costs time in every process that maps the file
  size_t count = 0, executable = 0;
  if (elf_getphdrnum(elf, &count) != 0)
    return libelf_failure(path_, "cannot read the program headers");
  for (size_t i = 0; i < count; i++) {
    GElf_Phdr segment;
    if (gelf_getphdr(elf, static_cast<int>(i), &segment) == nullptr)
      return libelf_failure(path_, "cannot read the program headers");
    if (segment.p_type == PT_LOAD && (segment.p_flags & PF_X) != 0 && ++executable > kMaxExecutable)
      return fail(ErrorKind::kUnsupported,
                  path_ + ": has more than 32 executable segments, which no linker makes");
    if (segment.p_type == PT_LOAD)
      segments_.push_back({FileOffset{segment.p_offset}, segment.p_filesz, ElfAddr{segment.p_vaddr},
                           segment.p_memsz, (segment.p_flags & PF_X) != 0});
    if (segment.p_type == PT_NOTE && build_id_.empty())
      build_id_ =
          find_build_id(slice(bytes_, segment.p_offset, segment.p_filesz).value_or(Bytes{}));
  }
  return ok();
}

// The bytes of string table `section`; none when it is not one.
Bytes ElfImage::strings_of(Elf* elf, size_t section) const {
  Elf_Scn* handle = elf_getscn(elf, section);
  GElf_Shdr header;
  if (handle == nullptr || gelf_getshdr(handle, &header) == nullptr ||
      header.sh_type != SHT_STRTAB || (header.sh_flags & SHF_COMPRESSED) != 0)
    return {};
  return slice(bytes_, header.sh_offset, header.sh_size).value_or(Bytes{});
}

Result<void> ElfImage::read_sections(Elf* elf) {
  size_t count = 0, names = 0;
  if (elf_getshdrnum(elf, &count) != 0 || (count > 0 && elf_getshdrstrndx(elf, &names) != 0))
    return libelf_failure(path_, "cannot read the section headers");
  NameTable name_table(strings_of(elf, names), count * sizeof(Elf64_Shdr));
  for (size_t i = 0; i < count; i++) {
    GElf_Shdr section;
    Elf_Scn* handle = elf_getscn(elf, i);
    if (handle == nullptr || gelf_getshdr(handle, &section) == nullptr)
      return libelf_failure(path_, "cannot read the section headers");
    std::optional<std::string_view> name = name_table.at(section.sh_name);
    if (!name) return names_too_long(path_, "sections");
    bool has_bytes = section.sh_type != SHT_NOBITS && section.sh_type != SHT_NULL;
    sections_.push_back(
        {*name, ElfAddr{section.sh_addr}, section.sh_size,
         has_bytes ? slice(bytes_, section.sh_offset, section.sh_size).value_or(Bytes{}) : Bytes{},
         (section.sh_flags & SHF_ALLOC) != 0, (section.sh_flags & SHF_EXECINSTR) != 0,
         has_bytes && (section.sh_flags & SHF_COMPRESSED) != 0});
    if (section.sh_type == SHT_NOTE && build_id_.empty())
      build_id_ = find_build_id(sections_.back().bytes);
  }
  return ok();
}

Result<void> ElfImage::read_symbols(Elf* elf, SymbolTable table) {
  const unsigned wanted = table == SymbolTable::kStatic ? SHT_SYMTAB : SHT_DYNSYM;
  Elf_Scn* section = nullptr;
  GElf_Shdr header{};
  while ((section = elf_nextscn(elf, section)) != nullptr)
    if (gelf_getshdr(section, &header) != nullptr && header.sh_type == wanted) break;
  if (section == nullptr) return ok();

  Elf_Data* data = elf_getdata(section, nullptr);
  if (data == nullptr) return libelf_failure(path_, "cannot read the symbol table");
  size_t count = data->d_size / sizeof(Elf64_Sym);
  NameTable name_table(strings_of(elf, header.sh_link), data->d_size);
  for (size_t i = 0; i < count; i++) {
    GElf_Sym symbol;
    if (gelf_getsym(data, static_cast<int>(i), &symbol) == nullptr) break;
    // Not in a section: imported, absolute, common. (The index of a symbol in a section beyond
    // 65279 would stand in another table; linked files do not have so many.)
    if (symbol.st_shndx == SHN_UNDEF || symbol.st_shndx >= SHN_LORESERVE ||
        symbol.st_shndx >= sections_.size())
      continue;
    std::optional<std::string_view> name = name_table.at(symbol.st_name);
    if (!name) return names_too_long(path_, "symbols");
    unsigned type = GELF_ST_TYPE(symbol.st_info);
    bool local = GELF_ST_BIND(symbol.st_info) == STB_LOCAL &&
                 GELF_ST_VISIBILITY(symbol.st_other) == STV_DEFAULT;
    symbols_.push_back({*name, ElfAddr{symbol.st_value}, symbol.st_size, symbol.st_shndx,
                        type == STT_FUNC || type == STT_GNU_IFUNC, type == STT_GNU_IFUNC, local});
  }
  return ok();
}

void ElfImage::add_symbols(const ElfImage& other, InflatedBytes bytes) {
  auto key = [](const Section& section) {
    return std::tuple(section.name, section.addr, section.size);
  };
  std::map<std::tuple<std::string_view, ElfAddr, uint64_t>, uint32_t> mine;
  for (size_t i = 0; i < sections_.size(); i++)
    mine.try_emplace(key(sections_[i]), static_cast<uint32_t>(i));
  for (Symbol symbol : other.symbols_) {
    auto same = mine.find(key(other.sections_[symbol.section]));
    if (same == mine.end()) continue;
    symbol.section = same->second;
    symbols_.push_back(symbol);
  }
  bytes_of_symbols_.push_back(std::move(bytes));
}

const ElfImage::Section* ElfImage::find_section(std::string_view name) const {
  for (const Section& section : sections_)
    if (section.name == name) return &section;
  return nullptr;
}

bool ElfImage::is_debug_file() const {
  auto has_code = [](const Section& section) { return section.executable && section.size != 0; };
  return std::any_of(sections_.begin(), sections_.end(), has_code) &&
         std::none_of(sections_.begin(), sections_.end(), [&](const Section& section) {
           return has_code(section) && !section.bytes.empty();
         });
}

const ElfImage::Section* ElfImage::find_same_section(const Section& section) const {
  for (const Section& mine : sections_)
    if (mine.name == section.name && mine.addr == section.addr && mine.size == section.size)
      return &mine;
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
