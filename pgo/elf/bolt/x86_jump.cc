#include "pgo/elf/bolt/x86_jump.h"

namespace pgo {
namespace {

// Segment overrides and branch hints, operand size, bnd; REX last.
Bytes without_prefixes(Bytes instruction) {
  while (!instruction.empty() &&
         (instruction[0] == 0x2e || instruction[0] == 0x3e || instruction[0] == 0x66 ||
          instruction[0] == 0xf2 || (instruction[0] & 0xf0) == 0x40))
    instruction = instruction.subspan(1);
  return instruction;
}

}  // namespace

std::optional<ElfAddr> x86_jump_target(Bytes instruction, ElfAddr addr) {
  uint64_t next = addr.value + instruction.size();
  Bytes code = without_prefixes(instruction);
  if (code.empty()) return std::nullopt;
  bool is_short = code[0] == 0xeb || (code[0] & 0xf0) == 0x70;
  if (is_short && code.size() == 2)
    return ElfAddr{next + static_cast<uint64_t>(int64_t{static_cast<int8_t>(code[1])})};
  size_t displacement = code[0] == 0xe9 ? 1 : 2;
  bool is_near =
      code[0] == 0xe9 || (code[0] == 0x0f && code.size() > 1 && (code[1] & 0xf0) == 0x80);
  if (!is_near || code.size() != displacement + 4) return std::nullopt;
  return ElfAddr{next + static_cast<uint64_t>(int64_t{load_le<int32_t>(&code[displacement])})};
}

bool is_x86_indirect_jump(Bytes instruction) {
  Bytes code = without_prefixes(instruction);
  if (code.size() < 2 || code[0] != 0xff) return false;
  unsigned operation = (code[1] >> 3) & 7u;
  return operation == 4 || operation == 5;
}

bool is_x86_nop(Bytes instruction) {
  Bytes code = without_prefixes(instruction);
  if (code.size() == 1) return code[0] == 0x90;
  return code.size() >= 3 && code[0] == 0x0f && code[1] == 0x1f;
}

}  // namespace pgo
