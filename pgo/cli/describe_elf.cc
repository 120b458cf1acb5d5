// What an ELF file is good for: is it the one that ran (build id), can counts be given to source
// lines (debug information) and to functions (symbols), and can llvm-bolt move its functions
// (relocations).

#include <elf.h>

#include <algorithm>

#include "bolt/address_translation.h"
#include "bolt/bolt_fitness.h"
#include "pgo/cli/description.h"
#include "pgo/cli/elf_facts.h"
#include "pgo/cli/funnel.h"
#include "pgo/cli/text_sheet.h"
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

std::string kind_of(const ElfImage& image) {
  if (image.is_debug_file()) return "debug file";
  bool is_linked_at_run_time = image.find_section(".interp") != nullptr;
  switch (image.kind()) {
    case ElfImage::Kind::kExecutable:
      return is_linked_at_run_time ? "executable at a fixed address"
                                   : "static executable at a fixed address";
    case ElfImage::Kind::kShared:
      if ((dynamic_value(image, DT_FLAGS_1).value_or(0) & DF_1_PIE) != 0)
        return is_linked_at_run_time ? "position-independent executable"
                                     : "static position-independent executable";
      return is_linked_at_run_time && !dynamic_value(image, DT_SONAME)
                 ? "position-independent executable"
                 : "shared library";
    case ElfImage::Kind::kOther: break;
  }
  uint16_t type = image.bytes().size() < 18 ? 0 : load_le<uint16_t>(image.bytes().data() + 16);
  return type == ET_REL ? "object file" : type == ET_CORE ? "core dump" : "file of another kind";
}

std::string machine_of(const ElfImage& image) {
  switch (image.machine()) {
    case EM_X86_64: return "x86-64";
    case EM_AARCH64: return "AArch64";
    case EM_RISCV: return "RISC-V";
    default: return "machine " + std::to_string(image.machine());
  }
}

uint64_t code_size(const ElfImage& image) {
  uint64_t size = 0;
  for (const ElfImage::Section& section : image.sections())
    if (section.executable) size += section.size;
  return size;
}

void add_kind(const ElfImage& image, const std::string& path, TextSheet& sheet) {
  sheet.line(path + ": ELF " + kind_of(image) + ", " + machine_of(image) + ", " +
             format_size(image.bytes().size()) + ", " +
             (image.is_debug_file() ? "without the " : "") + format_size(code_size(image)) +
             " of code");
  if (image.is_debug_file())
    sheet.row("use", "--debug-file beside the stripped --binary with this build id");
}

}  // namespace

Result<Description> describe_elf(Bytes bytes, const std::string& path,
                                 const DescribeOptions& options) {
  PGO_TRY(ElfImage image, ElfImage::parse(bytes, path));
  PGO_TRY(DebugPlace debug, find_debug_info(image, options.debug));
  bool bolted = is_bolted(image), translates = has_address_translation(image);
  std::optional<BoltObstacle> obstacle = find_bolt_obstacle(image);
  nlohmann::json note = profile_note(image);
  std::optional<ProbeFunctions> probes;
  if (has_probes(image)) {
    PGO_TRY(ProbeFunctions functions, ProbeFunctions::read(image));
    probes = std::move(functions);
  }
  size_t functions = static_cast<size_t>(
      std::count_if(image.symbols().begin(), image.symbols().end(),
                    [](const ElfImage::Symbol& symbol) { return symbol.function; }));

  Description description;
  description.json = {
      {"path", path},
      {"format", "elf"},
      {"size", bytes.size()},
      {"kind", kind_of(image)},
      {"machine", machine_of(image)},
      {"build_id", image.build_id().hex()},
      {"code_size", code_size(image)},
      {"debug_info", debug.path.empty() ? nlohmann::json() : nlohmann::json(debug.path)},
      {"symbols", image.symbols().size()},
      {"functions", functions},
      {"stripped", image.symbols().empty()},
      {"relocations", has_relocations(image)},
      {"pseudo_probes", probes.has_value()},
      {"functions_with_probes", probes ? probes->all().size() : 0},
      {"profile", note},
      {"bolted", bolted},
      {"address_translation", translates}};
  TextSheet sheet;
  add_kind(image, path, sheet);
  sheet.row("build id", image.build_id().empty()
                            ? "none: recordings find it by its name only; link with -Wl,--build-id"
                            : image.build_id().hex());
  sheet.row("debug info", describe_debug_info(image, debug));
  sheet.row("symbols", image.symbols().empty() ? "none: it is stripped"
                                               : format_count(image.symbols().size()) + ", " +
                                                     format_count(functions) + " of functions");
  if (!bolted && !image.is_debug_file() && image.kind() != ElfImage::Kind::kOther)
    sheet.row("BOLT", obstacle ? "refused: it " + obstacle->what + "\n" + obstacle->advice
                               : "fit for it: symbols and relocations were kept");
  if (probes)
    sheet.row("pseudo probes", "of " + format_count(probes->all().size()) +
                                   " functions, inlined ones too: conversions count by probe (or "
                                   "--by-line)");
  if (!note.is_null()) sheet.row("profile", describe_profile_note(note));
  if (bolted)
    sheet.row("BOLT",
              std::string("made by llvm-bolt, ") +
                  (translates ? "with an address translation table"
                              : "without an address translation table (-enable-bat); stripping "
                                "takes it away as well"));
  description.text = sheet.text();
  return description;
}

}  // namespace pgo
