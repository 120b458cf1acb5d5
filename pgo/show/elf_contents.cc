#include "pgo/show/elf_contents.h"

#include <elf.h>

#include <algorithm>

#include "pgo/binary/debug_place.h"
#include "pgo/elf/bolt/address_translation.h"
#include "pgo/elf/elf_image.h"
#include "pgo/elf/probe_table.h"

namespace pgo {
namespace {

// The value of the first entry `tag` in .dynamic.
std::optional<uint64_t> dynamic_value(const ElfImage& image, uint64_t tag) {
  const ElfImage::Section* section = image.find_section(".dynamic");
  if (section == nullptr) return std::nullopt;
  for (ByteCursor cursor(section->bytes); cursor.remaining() >= 16;) {
    uint64_t found = cursor.u64(), value = cursor.u64();
    if (found == tag) return value;
  }
  return std::nullopt;
}

// ET_DYN is both. Linkers mark position-independent executables since 2015 (DF_1_PIE); before that
// what has a loader and no name for others to load it by is one.
ElfKind kind_of_shared(const ElfImage& image, bool has_loader) {
  if ((dynamic_value(image, DT_FLAGS_1).value_or(0) & DF_1_PIE) != 0)
    return has_loader ? ElfKind::kPie : ElfKind::kStaticPie;
  return has_loader && !dynamic_value(image, DT_SONAME) ? ElfKind::kPie : ElfKind::kSharedLibrary;
}

ElfKind kind_of(const ElfImage& image) {
  if (image.is_debug_file()) return ElfKind::kDebugFile;
  bool has_loader = image.find_section(".interp") != nullptr;
  switch (image.kind()) {
    case ElfImage::Kind::kExecutable:
      return has_loader ? ElfKind::kExecutable : ElfKind::kStaticExecutable;
    case ElfImage::Kind::kShared: return kind_of_shared(image, has_loader);
    case ElfImage::Kind::kOther: break;
  }
  constexpr size_t kTypeOffset = 16;  // e_type
  if (image.bytes().size() < kTypeOffset + 2) return ElfKind::kOther;
  uint16_t type = load_le<uint16_t>(image.bytes().data() + kTypeOffset);
  return type == ET_REL    ? ElfKind::kObjectFile
         : type == ET_CORE ? ElfKind::kCoreDump
                           : ElfKind::kOther;
}

uint64_t code_size_of(const ElfImage& image) {
  uint64_t size = 0;
  for (const ElfImage::Section& section : image.sections())
    if (section.executable) size += section.size;
  return size;
}

uint64_t count_functions(const ElfImage& image) {
  return static_cast<uint64_t>(
      std::count_if(image.symbols().begin(), image.symbols().end(),
                    [](const ElfImage::Symbol& symbol) { return symbol.function; }));
}

}  // namespace

Result<ElfContents> read_elf_contents(Bytes bytes, const std::string& path,
                                      const DebugPlaces& places) {
  PGO_TRY(ElfImage image, ElfImage::parse(bytes, path));
  PGO_TRY(DebugPlace debug, find_debug_info(image, places));
  ElfContents contents;
  contents.kind = kind_of(image);
  contents.machine = image.machine();
  contents.build_id = image.build_id().hex();
  contents.code_size = code_size_of(image);
  contents.debug_info = debug.path;
  contents.has_own_debug_info = debug.own;
  contents.debug_info_text = describe_debug_info(image, debug);
  contents.symbols = image.symbols().size();
  contents.functions = count_functions(image);
  contents.has_relocations = has_relocations(image);
  if (has_probes(image)) {
    PGO_TRY(ProbeFunctions functions, ProbeFunctions::read(image));
    contents.functions_with_probes = functions.all().size();
  }
  contents.note = read_profile_note(image);
  contents.is_bolted = is_bolted(image);
  contents.has_address_translation = has_address_translation(image);
  contents.is_bolt_input =
      !contents.is_bolted && !image.is_debug_file() && image.kind() != ElfImage::Kind::kOther;
  contents.obstacle = find_bolt_obstacle(image);
  return contents;
}

}  // namespace pgo
