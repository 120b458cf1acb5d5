// What an ELF file is good for: is it the one that ran (build ID), can counts be given to source
// lines (debug information) and to functions (symbols), can BOLT reorder it (relocations).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "bolt/bolt_fitness.h"
#include "pgo/base/bytes.h"
#include "pgo/base/result.h"
#include "pgo/binary/debug_file.h"
#include "pgo/binary/profile_note.h"

namespace pgo {

enum class ElfKind : uint8_t {
  kExecutable,        // at a fixed address
  kStaticExecutable,  // at a fixed address, without a dynamic loader
  kPie,               // position-independent
  kStaticPie,
  kSharedLibrary,
  kDebugFile,  // debug information that was split from a binary
  kObjectFile,
  kCoreDump,
  kOther,
};

struct ElfContents {
  ElfKind kind = ElfKind::kOther;
  uint16_t machine = 0;    // e_machine
  std::string build_id;    // hexadecimal; empty: none
  uint64_t code_size = 0;  // bytes of executable sections
  std::string debug_info;  // path of the file that has it; empty: not found
  bool has_own_debug_info = false;
  // Where it is or why it is missing, and what to do, for people.
  std::string debug_info_text;
  uint64_t symbols = 0;    // 0: stripped
  uint64_t functions = 0;  // of the symbols
  bool has_relocations = false;
  std::optional<uint64_t> functions_with_probes;  // nothing: no pseudo probes
  std::optional<ProfileNote> note;
  bool is_bolted = false;                // optimized by BOLT
  bool has_address_translation = false;  // a table that leads from there to BOLT's input
  bool is_bolt_input = false;            // linked code that BOLT has not optimized yet
  std::optional<BoltObstacle> obstacle;  // why BOLT refuses it
};

// `bytes` are of the file `path`. Errors: kInput for a damaged file or a damaged debug file.
Result<ElfContents> read_elf_contents(Bytes bytes, const std::string& path,
                                      const DebugPlaces& places);

}  // namespace pgo
