#include "pgo/stacks/bolted_code.h"

#include "pgo/binary/debug_file.h"
#include "pgo/elf/bolt/address_translation.h"

namespace pgo {
namespace {

constexpr const char* kKind = "bolted-without-lines";

std::optional<size_t> find_input_of(const ElfImage& bolted, const BinarySet& binaries) {
  for (size_t i = 0; i < binaries.binaries().size(); i++) {
    const ElfImage& other = *binaries.binaries()[i].image;
    if (!is_bolted(other) && other.build_id().matches_bolted(bolted.build_id())) return i;
  }
  return std::nullopt;
}

// The start of the instruction that `addr` is in.
OptElfAddr instruction_around(const CodeMap& code, ElfAddr addr) {
  constexpr unsigned kMaxInstruction = 15;  // bytes
  for (unsigned back = 0; back < kMaxInstruction && back <= addr.value; back++) {
    ElfAddr start{addr.value - back};
    CodeByte byte = code.at(start);
    if (byte.is_code()) return byte.size() > back ? OptElfAddr(start) : OptElfAddr();
  }
  return {};
}

}  // namespace

std::optional<BoltedCode> BoltedCode::find(const BinarySet& binaries, size_t binary,
                                           Diagnostics& diagnostics) {
  const Binary& bolted = binaries.binaries()[binary];
  if (!is_bolted(*bolted.image) || has_debug_info(bolted.debug_image())) return std::nullopt;
  std::optional<size_t> input = find_input_of(*bolted.image, binaries);
  if (!input || !has_address_translation(*bolted.image)) {
    diagnostics.warn(kKind, bolted.image->path() +
                                ": was rewritten by BOLT and has no debug information; its code "
                                "has the names of its symbols; " +
                                (input ? "run llvm-bolt with -enable-bat or -update-debug-sections"
                                       : "name the input of BOLT, too: \xFF{binary} INPUT"));
    return std::nullopt;
  }
  Result<MovedCode> moved = MovedCode::build(bolted.target(), binaries.binaries()[*input].target());
  if (!moved) {
    diagnostics.warn(kKind, moved.error().message);
    return std::nullopt;
  }
  return BoltedCode(*bolted.code, *input, *std::move(moved));
}

OptElfAddr BoltedCode::find_in_input(ElfAddr bolted) {
  OptElfAddr start = instruction_around(*code_, bolted);
  if (!start) return {};
  const MovedCode::Place place = moved_.find(*start);
  if (place.kind == MovedCode::Kind::kUnknown) return {};
  if (place.kind == MovedCode::Kind::kUnmoved) return bolted;
  return moved_.to_input(place, *start);
}

}  // namespace pgo
