// CodeBlock: what the recorder has to know about one translated block when it runs: where it
// starts and ends, and whether and where its last instruction may branch.
#pragma once

#include <stddef.h>
#include <stdint.h>

enum BranchKind {
  kNoBranch,     // ends for QEMU's own reasons, or in a system call
  kConditional,  // jcc, loop, jrcxz: to `target` or to `next`
  kDirect,       // jmp, call: to `target`
  kReturn,       // ret
  kIndirect,     // jmp and call through a register or memory
};

struct CodeBlock {
  uint64_t start;   // first instruction
  uint64_t last;    // start of the last instruction
  uint64_t next;    // the byte behind it
  uint64_t target;  // of kConditional and kDirect; else 0
  uint32_t instructions;
  enum BranchKind kind;
  // Whether the branch is known to run when the block does (see must_watch_branch).
  uint32_t sure;
  struct CodeBlock* chain;  // next block with the same hash
};

// Does a lock prefix stand before the opcode?
int is_atomic(const uint8_t* bytes, size_t size);

// Finds kind and target of an x86-64 instruction of `size` bytes (at most 15) before address
// `next`.
enum BranchKind classify_branch(const uint8_t* bytes, size_t size, uint64_t next, uint64_t* target);

// QEMU may leave a block in its middle and go on there in a block of its own, to run an atomic
// instruction alone or because the block has overwritten itself. Whether that looks like the
// block's own branch decides if the branch has to be watched (at the price of a second callback):
//  - direct branches only when they lead back into the block, and it has an atomic instruction;
//  - a return never goes to the middle of its block, since the call before that address would have
//    ended the block;
//  - other indirect branches may go anywhere.
int must_watch_branch(const struct CodeBlock* block, int has_atomic_instruction);

// The one CodeBlock equal to `block`, which lives as long as the process. Code that is translated
// again, as QEMU does whenever its cache is full, takes no further memory. Not thread-safe.
struct CodeBlock* intern_block(const struct CodeBlock* block);
