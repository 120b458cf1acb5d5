#include "pgo/elf/stripped_file.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <string_view>
#include <vector>

namespace pgo {
namespace {

constexpr uint64_t kPage = 4096;

// `count` structures of a table in the file; none when it does not lie in the file.
template <typename T>
std::vector<T> table_at(Bytes file, uint64_t offset, uint64_t count) {
  const std::optional<Bytes> bytes = slice(file, offset, count * sizeof(T));
  if (!bytes) return {};
  std::vector<T> table(count);
  if (!table.empty()) std::memcpy(table.data(), bytes->data(), bytes->size());
  return table;
}

bool is_debug_section(const ElfImage::Section& section) {
  return !section.allocated &&
         (section.name.starts_with(".debug_") || section.name.starts_with(".zdebug_") ||
          section.name == ".gdb_index");
}

// By index. With a section go the relocations for it, which --emit-relocs keeps.
std::vector<bool> find_dropped(const ElfImage& image, const std::vector<Elf64_Shdr>& headers) {
  std::vector<bool> dropped;
  for (const ElfImage::Section& section : image.sections())
    dropped.push_back(is_debug_section(section));
  const std::vector<bool> debug = dropped;
  for (size_t i = 0; i < headers.size(); i++) {
    const Elf64_Shdr& header = headers[i];
    const bool is_relocations = header.sh_type == SHT_RELA || header.sh_type == SHT_REL;
    if (is_relocations && (header.sh_flags & SHF_ALLOC) == 0 && header.sh_info < debug.size() &&
        debug[header.sh_info])
      dropped[i] = true;
  }
  return dropped;
}

bool has_bytes(const Elf64_Shdr& header) {
  return header.sh_type != SHT_NULL && header.sh_type != SHT_NOBITS && header.sh_size > 0;
}

void align(std::string& file, uint64_t alignment) {
  if (alignment > 1) file.resize((file.size() + alignment - 1) / alignment * alignment);
}

}  // namespace

std::optional<std::string> strip_debug_sections(const ElfImage& image) {
  const Bytes file = image.bytes();
  const std::vector<Elf64_Ehdr> found = table_at<Elf64_Ehdr>(file, 0, 1);
  if (found.empty()) return std::nullopt;
  Elf64_Ehdr header = found[0];
  if (header.e_shentsize != sizeof(Elf64_Shdr) || header.e_shnum != image.sections().size() ||
      header.e_shstrndx >= header.e_shnum ||
      (header.e_phnum > 0 && header.e_phentsize != sizeof(Elf64_Phdr)))
    return std::nullopt;
  auto headers = table_at<Elf64_Shdr>(file, header.e_shoff, header.e_shnum);
  const auto segments = table_at<Elf64_Phdr>(file, header.e_phoff, header.e_phnum);
  if (headers.size() != header.e_shnum || segments.size() != header.e_phnum) return std::nullopt;
  const std::vector<bool> dropped = find_dropped(image, headers);
  if (std::find(dropped.begin(), dropped.end(), true) == dropped.end()) return std::nullopt;

  // 1. What stays in place: all up to the end of what is loaded.
  uint64_t end = sizeof header;
  if (!segments.empty()) end = std::max(end, header.e_phoff + segments.size() * sizeof(Elf64_Phdr));
  for (const Elf64_Phdr& segment : segments) {
    if (!slice(file, segment.p_offset, segment.p_filesz)) return std::nullopt;
    end = std::max(end, segment.p_offset + segment.p_filesz);
  }
  for (const Elf64_Shdr& section : headers) {
    if (!has_bytes(section)) continue;
    if (!slice(file, section.sh_offset, section.sh_size)) return std::nullopt;
    if ((section.sh_flags & SHF_ALLOC) != 0)
      end = std::max(end, section.sh_offset + section.sh_size);
  }
  std::string stripped(as_text(file.first(end)));

  // 2. The other sections, in their order in the file.
  std::vector<size_t> order(headers.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return headers[a].sh_offset < headers[b].sh_offset; });
  for (const size_t i : order) {
    Elf64_Shdr& section = headers[i];
    if (dropped[i]) {
      section = {};
    } else if (has_bytes(section) && section.sh_offset + section.sh_size > end) {
      if (section.sh_addralign > kPage) return std::nullopt;
      align(stripped, section.sh_addralign);
      const Bytes bytes = file.subspan(section.sh_offset, section.sh_size);
      section.sh_offset = stripped.size();
      stripped += as_text(bytes);
      if (stripped.size() > file.size()) return std::nullopt;  // sections overlap
    }
  }

  // 3. The section headers.
  align(stripped, alignof(Elf64_Shdr));
  header.e_shoff = stripped.size();
  std::memcpy(stripped.data(), &header, sizeof header);
  stripped.append(reinterpret_cast<const char*>(headers.data()),
                  headers.size() * sizeof(Elf64_Shdr));
  if (stripped.size() >= file.size()) return std::nullopt;
  return stripped;
}

}  // namespace pgo
