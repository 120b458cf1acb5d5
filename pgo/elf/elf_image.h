// ElfImage: what this project needs to know of an ELF file: identity, segments, sections, symbols.
// Reads 64-bit little-endian files through libelf; debug information is LLVM's business.
//
//   PGO_TRY(ElfImage image, ElfImage::open("./server"));
//   std::optional<ElfAddr> addr = image.to_elf_addr(FileOffset{0x1234}, SegmentKind::kExecutable);
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pgo/base/build_id.h"
#include "pgo/base/inflate.h"
#include "pgo/base/mapped_file.h"
#include "pgo/base/result.h"
#include "pgo/profile/address.h"

// libelf's handle.
struct Elf;

namespace pgo {

enum class SegmentKind { kAny, kExecutable };

class ElfImage {
 public:
  // A PT_LOAD program header.
  struct Segment {
    FileOffset offset;
    uint64_t file_size = 0;
    ElfAddr addr;
    uint64_t memory_size = 0;
    bool executable = false;
  };

  struct Section {
    std::string_view name;
    ElfAddr addr;
    uint64_t size = 0;
    Bytes bytes;              // empty for SHT_NOBITS
    bool allocated = false;   // SHF_ALLOC
    bool executable = false;  // SHF_EXECINSTR
    bool compressed = false;  // SHF_COMPRESSED: the bytes start with an Elf64_Chdr
  };

  struct Symbol {
    std::string_view name;
    ElfAddr addr;
    uint64_t size = 0;
    uint32_t section = 0;   // index into sections()
    bool function = false;  // STT_FUNC or STT_GNU_IFUNC
    bool indirect = false;  // STT_GNU_IFUNC: it chooses the function
    bool local = false;     // STB_LOCAL, but not what became so for being hidden (lld)
  };

  // Which table symbols() are of: .symtab, which stripping removes, or .dynsym, which loading
  // needs.
  enum class SymbolTable { kStatic, kDynamic };

  enum class Kind { kExecutable, kShared, kOther };  // ET_EXEC; ET_DYN (PIE too); anything else

  struct DebugLink {
    std::string_view file_name;
    uint32_t crc = 0;
  };

  static Result<ElfImage> open(const std::string& path);
  // The same from bytes in memory, which must outlive the image. `name` is for messages.
  static Result<ElfImage> parse(Bytes bytes, const std::string& name,
                                SymbolTable table = SymbolTable::kStatic);
  // Do these bytes start like an ELF file of any kind?
  static bool is_elf(Bytes bytes);

  const std::string& path() const { return path_; }
  Bytes bytes() const { return bytes_; }
  Kind kind() const { return kind_; }
  uint16_t machine() const { return machine_; }          // EM_X86_64, ...
  const BuildId& build_id() const { return build_id_; }  // empty when the file has none
  const std::vector<Segment>& segments() const { return segments_; }
  const std::vector<Section>& sections() const { return sections_; }  // [0] is the null section
  const Section* find_section(std::string_view name) const;
  // Does it describe code whose bytes were left out, as objcopy --only-keep-debug does?
  bool is_debug_file() const;
  // The section of this file that `section` of another is: a debug file keeps names and addresses
  // of the binary it was split from, but may number the sections otherwise.
  const Section* find_same_section(const Section& section) const;
  // Symbols of .symtab (or .dynsym) that lie in a section, in file order; none in a stripped file.
  const std::vector<Symbol>& symbols() const { return symbols_; }
  // Adds those of `other`, a file of the same build, that lie in a section of this one too.
  // `bytes`, which `other` was parsed from, stay with this image. O((sections + symbols) log
  // sections).
  void add_symbols(const ElfImage& other, InflatedBytes bytes);
  std::optional<DebugLink> debug_link() const;

  // Where the byte at `offset` is at run time, before any load bias. A file position may be mapped
  // by two segments; kExecutable looks at executable ones only.
  std::optional<ElfAddr> to_elf_addr(FileOffset offset, SegmentKind kind) const;

 private:
  ElfImage() = default;
  Result<void> read_segments(Elf* elf);
  Bytes strings_of(Elf* elf, size_t section) const;
  Result<void> read_sections(Elf* elf);
  Result<void> read_symbols(Elf* elf, SymbolTable table);

  std::optional<MappedFile> file_;
  Bytes bytes_;
  std::string path_;
  Kind kind_ = Kind::kOther;
  uint16_t machine_ = 0;
  BuildId build_id_;
  std::vector<Segment> segments_;
  std::vector<Section> sections_;
  std::vector<Symbol> symbols_;
  std::vector<InflatedBytes> bytes_of_symbols_;  // that were added
};

}  // namespace pgo
