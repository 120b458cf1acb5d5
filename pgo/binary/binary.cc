#include "pgo/binary/binary.h"

#include <algorithm>

#include "pgo/code/instruction_decoder.h"
#include "pgo/elf/bolt/address_translation.h"
#include "pgo/elf/probe_table.h"
#include "pgo/elf/remaining_symbols.h"
#include "pgo/source/input_bytes.h"

namespace pgo {
namespace {

Failure stripped_failure(const ElfImage& image, const std::vector<std::string>& debug_files) {
  std::string text =
      image.path() + ": is stripped: it has no symbol table, so its code cannot be found; ";
  if (debug_files.empty() || image.build_id().empty())
    return fail(ErrorKind::kInput, text.substr(0, text.size() - 2),
                "give the unstripped binary, or its debug file with \xFF{debug-file}");
  text += "no \xFF{debug-file} belongs to this build (" + build_id_text(image) + "):";
  for (const std::string& file : debug_files) {
    Result<ElfImage> other = ElfImage::open(file);
    text += "\n  " + file + "  " + (other ? build_id_text(*other) : "cannot be read");
  }
  return fail(ErrorKind::kMismatch, text);
}

bool has_functions(const ElfImage& image) {
  return std::any_of(image.symbols().begin(), image.symbols().end(),
                     [](const ElfImage::Symbol& symbol) { return symbol.function; });
}

}  // namespace

const ElfImage* find_probes(const ElfImage& image, const ElfImage* debug, ProbeUse use) {
  if (use == ProbeUse::kNone) return nullptr;
  if (has_probes(image)) return &image;
  if (use == ProbeUse::kOfBinary || debug == nullptr || is_bolted(image)) return nullptr;
  return has_probes(*debug) ? debug : nullptr;
}

Result<Binary> open_binary(const std::string& path, const DebugPlaces& debug, BinaryUse use,
                           ProbeUse probe_use) {
  Binary binary;
  PGO_TRY(ElfImage image, open_elf(path));
  binary.image = std::make_unique<ElfImage>(std::move(image));
  PGO_TRY(std::optional<std::string> debug_path, find_debug_file(*binary.image, debug));
  if (debug_path) {
    PGO_TRY(ElfImage debug_image, ElfImage::open(*debug_path));
    binary.debug = std::make_unique<ElfImage>(std::move(debug_image));
  }
  if (use == BinaryUse::kNames && binary.symbol_image().symbols().empty()) {
    PGO_TRY(ElfImage remaining, with_remaining_symbols(*binary.image));
    if (has_functions(remaining))
      binary.remaining = std::make_unique<ElfImage>(std::move(remaining));
  }
  if (binary.symbol_image().symbols().empty())
    return stripped_failure(*binary.image, debug_path ? std::vector<std::string>() : debug.files);
  PGO_TRY(binary.code, make_code_map(*binary.image, binary.symbol_image()));
  binary.probes = find_probes(*binary.image, binary.debug.get(), probe_use);
  return binary;
}

Result<ElfImage> open_elf(const std::string& path) {
  Result<ElfImage> image = ElfImage::open(path);
  if (image || path == "-") return image;
  Result<InputBytes> input = InputBytes::open(path);
  if (!input || input->format() == Format::kElf) return image;
  return fail(ErrorKind::kInput,
              input->describe(", and a program or library (ELF) is needed there"));
}

std::string build_id_text(const ElfImage& image) {
  return image.build_id().empty() ? "no build ID" : image.build_id().hex();
}

}  // namespace pgo
