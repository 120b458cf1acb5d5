// Classifies the last instruction of a block by its opcode, and keeps one descriptor per block.
//
// Only the near branches of 64-bit mode are told apart, since only these reach a processor's branch
// records. Prefixes (legacy and REX) are skipped; VEX-coded instructions never branch and their
// first byte (C4, C5) is no branch opcode either. Displacements are the last bytes of an
// instruction, so no ModRM decoding is needed for them.
#include "code_block.h"

#include <stdlib.h>
#include <string.h>

enum { kBuckets = 1 << 16 };

static size_t skip_prefixes(const uint8_t* bytes, size_t size) {
  // Segments and branch hints, operand and address size, lock, repeat (and bnd).
  static const uint8_t kPrefixes[] = {0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65,
                                      0x66, 0x67, 0xf0, 0xf2, 0xf3};
  size_t i = 0;
  while (i < size && ((bytes[i] & 0xf0) == 0x40 ||  // REX
                      memchr(kPrefixes, bytes[i], sizeof kPrefixes))) {
    i++;
  }
  return i;
}

int is_atomic(const uint8_t* bytes, size_t size) {
  return memchr(bytes, 0xf0, skip_prefixes(bytes, size)) != NULL;
}

int must_watch_branch(const struct CodeBlock* block, int has_atomic_instruction) {
  switch (block->kind) {
    case kConditional:
    case kDirect:
      return has_atomic_instruction && block->target >= block->start &&
             block->target <= block->last;
    case kIndirect: return 1;
    default: return 0;
  }
}

enum BranchKind classify_branch(const uint8_t* bytes, size_t size, uint64_t next,
                                uint64_t* target) {
  size_t i = skip_prefixes(bytes, size);
  if (i >= size) return kNoBranch;
  uint8_t opcode = bytes[i];
  int64_t short_jump = (int8_t)bytes[size - 1];
  int32_t near_jump = 0;
  if (size >= 5) memcpy(&near_jump, bytes + size - 4, sizeof near_jump);

  *target = next + (uint64_t)short_jump;
  if ((opcode & 0xf0) == 0x70 || (opcode >= 0xe0 && opcode <= 0xe3)) return kConditional;
  if (opcode == 0xeb) return kDirect;
  *target = next + (uint64_t)(int64_t)near_jump;
  if (opcode == 0x0f && i + 1 < size && (bytes[i + 1] & 0xf0) == 0x80) return kConditional;
  if (opcode == 0xe8 || opcode == 0xe9) return kDirect;
  *target = 0;
  if (opcode == 0xc2 || opcode == 0xc3) return kReturn;
  if (opcode == 0xff && i + 1 < size) {
    int operation = (bytes[i + 1] >> 3) & 7;
    if (operation == 2 || operation == 4) return kIndirect;  // call, jmp; 3 and 5 are far
  }
  return kNoBranch;
}

static int same_block(const struct CodeBlock* a, const struct CodeBlock* b) {
  return a->start == b->start && a->last == b->last && a->next == b->next &&
         a->target == b->target && a->kind == b->kind && a->sure == b->sure &&
         a->instructions == b->instructions;
}

struct CodeBlock* intern_block(const struct CodeBlock* block) {
  static struct CodeBlock* table[kBuckets];
  struct CodeBlock** bucket = &table[(block->start * 0x9e3779b97f4a7c15u) >> 48];
  for (struct CodeBlock* known = *bucket; known; known = known->chain) {
    if (same_block(known, block)) return known;
  }
  struct CodeBlock* added = malloc(sizeof *added);
  if (!added) return NULL;
  *added = *block;
  added->chain = *bucket;
  *bucket = added;
  return added;
}
