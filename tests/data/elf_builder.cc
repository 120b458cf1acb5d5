#include "tests/data/elf_builder.h"

#include <cstring>

namespace pgo {
namespace {

template <typename T>
std::string_view bytes_of(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

uint32_t append_name(std::string& table, const std::string& name) {
  if (table.empty()) table.push_back('\0');
  uint32_t offset = static_cast<uint32_t>(table.size());
  table += name;
  table.push_back('\0');
  return offset;
}

}  // namespace

ElfBuilder::ElfBuilder()
    : file_(sizeof(Elf64_Ehdr) + kMaxSegments * sizeof(Elf64_Phdr)), sections_(1) {
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_ident[EI_VERSION] = EV_CURRENT;
  header.e_type = ET_DYN;
  header.e_machine = EM_X86_64;
  header.e_version = EV_CURRENT;
  header.e_ehsize = sizeof(Elf64_Ehdr);
  header.e_phentsize = sizeof(Elf64_Phdr);
  header.e_shentsize = sizeof(Elf64_Shdr);
}

uint64_t ElfBuilder::add_bytes(std::string_view bytes) {
  file_.resize((file_.size() + 7) & ~size_t{7});
  uint64_t offset = file_.size();
  file_.insert(file_.end(), bytes.begin(), bytes.end());
  return offset;
}

uint64_t ElfBuilder::add_section(const std::string& name, uint32_t type, uint64_t flags,
                                 uint64_t addr, std::string_view contents) {
  Elf64_Shdr section{};
  section.sh_name = append_name(section_names_, name);
  section.sh_type = type;
  section.sh_flags = flags;
  section.sh_addr = addr;
  section.sh_size = contents.size();
  section.sh_addralign = 1;
  section.sh_offset = add_bytes(type == SHT_NOBITS ? std::string_view() : contents);
  sections_.push_back(section);
  return section.sh_offset;
}

void ElfBuilder::add_segment(uint32_t type, uint32_t flags, uint64_t offset, uint64_t file_size,
                             uint64_t addr) {
  Elf64_Phdr segment{};
  segment.p_type = type;
  segment.p_flags = flags;
  segment.p_offset = offset;
  segment.p_filesz = segment.p_memsz = file_size;
  segment.p_vaddr = segment.p_paddr = addr;
  segments_.push_back(segment);
}

void ElfBuilder::add_symbol(const std::string& name, unsigned char type, uint16_t section,
                            uint64_t addr, uint64_t size) {
  if (symbols_.empty()) symbols_ += bytes_of(Elf64_Sym{});
  Elf64_Sym symbol{};
  symbol.st_name = append_name(symbol_names_, name);
  symbol.st_info = static_cast<unsigned char>(ELF64_ST_INFO(STB_GLOBAL, type));
  symbol.st_shndx = section;
  symbol.st_value = addr;
  symbol.st_size = size;
  symbols_ += bytes_of(symbol);
}

std::vector<uint8_t> ElfBuilder::finish() {
  if (!symbols_.empty()) {
    if (is_stripped_)
      add_section(".dynsym", SHT_DYNSYM, SHF_ALLOC, 0, symbols_);
    else
      add_section(".symtab", SHT_SYMTAB, 0, 0, symbols_);
    sections_.back().sh_link = next_section();
    sections_.back().sh_entsize = sizeof(Elf64_Sym);
    add_section(is_stripped_ ? ".dynstr" : ".strtab", SHT_STRTAB, 0, 0, symbol_names_);
  }
  header.e_shstrndx = next_section();
  // Its own name is in it: added before the contents are taken.
  std::string names = section_names_;
  append_name(names, ".shstrtab");
  add_section(".shstrtab", SHT_STRTAB, 0, 0, names);

  std::string headers;
  for (const Elf64_Shdr& section : sections_) headers += bytes_of(section);
  header.e_shoff = add_bytes(headers);
  header.e_shnum = next_section();
  header.e_phoff = segments_.empty() ? 0 : sizeof(Elf64_Ehdr);
  header.e_phnum = static_cast<uint16_t>(segments_.size());
  std::memcpy(file_.data(), &header, sizeof header);
  for (size_t i = 0; i < segments_.size() && i < kMaxSegments; i++)
    std::memcpy(file_.data() + sizeof header + i * sizeof(Elf64_Phdr), &segments_[i],
                sizeof(Elf64_Phdr));
  return file_;
}

uint64_t ElfBuilder::add_code(uint64_t addr, std::string_view code) {
  const uint64_t offset = add_section(".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, addr, code);
  add_segment(PT_LOAD, PF_R | PF_X, offset, code.size(), addr);
  return offset;
}

void ElfBuilder::add_build_id(std::string_view bytes) {
  add_section(".note.gnu.build-id", SHT_NOTE, SHF_ALLOC, 0, note("GNU", NT_GNU_BUILD_ID, bytes));
}

std::string ElfBuilder::note(std::string_view name, uint32_t type, std::string_view descriptor) {
  auto padded = [](std::string bytes) {
    bytes.resize((bytes.size() + 3) & ~size_t{3});
    return bytes;
  };
  std::string named(name);
  named.push_back('\0');
  std::string bytes;
  bytes += bytes_of(static_cast<uint32_t>(named.size()));
  bytes += bytes_of(static_cast<uint32_t>(descriptor.size()));
  bytes += bytes_of(type);
  return bytes + padded(named) + padded(std::string(descriptor));
}

}  // namespace pgo
