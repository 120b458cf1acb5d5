// An ELF file: what it is, and what it is good for.

#include <elf.h>

#include "pgo/base/number_text.h"
#include "pgo/report/note_json.h"
#include "pgo/report/show_kinds.h"
#include "pgo/report/text_sheet.h"

namespace pgo {
namespace {

std::string kind_name(ElfKind kind) {
  switch (kind) {
    case ElfKind::kExecutable: return "executable at a fixed address";
    case ElfKind::kStaticExecutable: return "static executable at a fixed address";
    case ElfKind::kPie: return "position-independent executable";
    case ElfKind::kStaticPie: return "static position-independent executable";
    case ElfKind::kSharedLibrary: return "shared library";
    case ElfKind::kDebugFile: return "debug file";
    case ElfKind::kObjectFile: return "object file";
    case ElfKind::kCoreDump: return "core dump";
    case ElfKind::kOther: break;
  }
  return "file of another kind";
}

std::string machine_name(uint16_t machine) {
  switch (machine) {
    case EM_X86_64: return "x86-64";
    case EM_AARCH64: return "AArch64";
    case EM_RISCV: return "RISC-V";
    default: return "machine " + std::to_string(machine);
  }
}

nlohmann::json json_of(const ShowResult& result, const ElfContents& contents) {
  return {{"path", result.path},
          {"format", "elf"},
          {"size", result.size},
          {"kind", kind_name(contents.kind)},
          {"machine", machine_name(contents.machine)},
          {"build_id", contents.build_id},
          {"code_size", contents.code_size},
          {"debug_info",
           contents.debug_info.empty() ? nlohmann::json() : nlohmann::json(contents.debug_info)},
          {"symbols", contents.symbols},
          {"functions", contents.functions},
          {"stripped", contents.symbols == 0},
          {"relocations", contents.has_relocations},
          {"pseudo_probes", contents.functions_with_probes.has_value()},
          {"functions_with_probes", contents.functions_with_probes.value_or(0)},
          {"profile", note_json(contents.note)},
          {"bolted", contents.is_bolted},
          {"address_translation", contents.has_address_translation}};
}

void add_kind(const ShowResult& result, const ElfContents& contents, const OptionWordsFn& words,
              TextSheet& sheet) {
  bool is_debug_file = contents.kind == ElfKind::kDebugFile;
  sheet.line(result.path + ": ELF " + kind_name(contents.kind) + ", " +
             machine_name(contents.machine) + ", " + format_size(result.size) + ", " +
             (is_debug_file ? "without the " : "") + format_size(contents.code_size) + " of code");
  if (is_debug_file)
    sheet.row("use", words("\xFF{debug-file} beside the stripped \xFF{binary} with this build ID"));
}

void add_bolt(const ElfContents& contents, const OptionWordsFn& words, TextSheet& sheet) {
  if (!contents.is_bolt_input) return;
  if (contents.obstacle)
    sheet.rows("BOLT",
               {"refused: it " + contents.obstacle->what, words(contents.obstacle->advice)});
  else
    sheet.row("BOLT", "can be optimized: symbols and relocations were kept");
}

}  // namespace

ShowReport report_contents(const ShowResult& result, const ElfContents& contents,
                           const OptionWordsFn& words) {
  ShowReport report;
  report.json = json_of(result, contents);
  TextSheet sheet;
  add_kind(result, contents, words, sheet);
  sheet.row("build ID",
            contents.build_id.empty()
                ? "none: recordings identify it by its file name only; link with -Wl,--build-id"
                : contents.build_id);
  sheet.row("debug info", words(contents.debug_info_text));
  sheet.row("symbols", contents.symbols == 0
                           ? "none: it is stripped"
                           : format_count(contents.symbols) + ", " +
                                 format_count(contents.functions) + " of functions");
  add_bolt(contents, words, sheet);
  if (contents.functions_with_probes)
    sheet.row("pseudo probes",
              "of " + format_count(*contents.functions_with_probes) +
                  " functions, including inlined ones: conversions count by probe" +
                  words(" (or \xFF{by-line})"));
  if (contents.note) sheet.rows("profile", lines_of(describe_profile_note(*contents.note)));
  if (contents.is_bolted)
    sheet.row("BOLT",
              std::string("made by llvm-bolt, ") +
                  (contents.has_address_translation ? "with an address translation table"
                                                    : "without an address translation table "
                                                      "(-enable-bat); stripping also removes it"));
  report.text = sheet.text();
  return report;
}

}  // namespace pgo
