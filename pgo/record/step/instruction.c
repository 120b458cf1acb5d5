// Decodes prefixes and opcode, and the displacement of direct branches; no other instruction needs
// its length. Only bytes of the instruction itself are read.
//
// Not to be stepped, because the thread would be in danger or would see the trap flag:
//   - system calls (syscall, sysenter, int): one that blocks SIGTRAP makes the next trap fatal;
//     fork, clone, exec and exit begin or end a life in the middle of a burst. The rest come along.
//   - pushf, popf, iret and far branches: they save or load the flags, trap flag and all.
//   - loads of SS: the processor delays the trap, by which the next instruction would escape.
//   - transactions (xbegin, xabort, 0F 01): a trap aborts them.
//   - writes of the FS and GS bases: the handlers find their thread by them.
//   - what faults anyway, or is not known here.
#include "instruction.h"

#include <string.h>

#include "raw_call.h"

enum { kLongest = 15, kPageBits = 12 };

// The kernel copies the set before it looks at the (wrong) operation: EFAULT or EINVAL, and nothing
// else happens.
static bool is_readable(uint64_t address, struct ReadablePage* known) {
  uint64_t page = address >> kPageBits;
  if (page + 1 == known->next) return true;
  long answer = raw_call4(SYS_rt_sigprocmask, -1, (long)(page << kPageBits), 0, 8);
  if (answer != -EINVAL) return false;
  known->next = page + 1;
  return true;
}

struct Cursor {
  uint64_t begin, at;
  struct ReadablePage* known;
  bool failed;
};

static uint8_t next_byte(struct Cursor* cursor) {
  if (cursor->failed || cursor->at - cursor->begin >= kLongest ||
      !is_readable(cursor->at, cursor->known)) {
    cursor->failed = true;
    return 0;
  }
  return *(const volatile uint8_t*)cursor->at++;
}

static bool is_prefix(uint8_t byte) {
  switch (byte) {
    case 0x26:
    case 0x2e:
    case 0x36:
    case 0x3e:
    case 0x64:
    case 0x65:
    case 0x66:
    case 0x67:
    case 0xf0:
    case 0xf2:
    case 0xf3: return true;
    default: return (byte & 0xf0) == 0x40;  // REX
  }
}

static void set_target(struct Instruction* instruction, enum Course course, struct Cursor* cursor,
                       unsigned size) {
  uint32_t bits = 0;
  for (unsigned i = 0; i < size; i++) bits |= (uint32_t)next_byte(cursor) << (8 * i);
  int64_t displacement = size == 1 ? (int64_t)(int8_t)bits : (int64_t)(int32_t)bits;
  instruction->course = course;
  instruction->next = cursor->at;
  instruction->target = cursor->at + (uint64_t)displacement;
}

// Behind the byte 0F.
static void read_two_byte(struct Instruction* instruction, struct Cursor* cursor) {
  uint8_t opcode = next_byte(cursor);
  if ((opcode & 0xf0) == 0x80) {
    set_target(instruction, kConditional, cursor, 4);
    return;
  }
  switch (opcode) {
    case 0x01:  // transactions, virtual machines, protection keys
    case 0x05:
    case 0x07:
    case 0x34:
    case 0x35:  // system calls and their returns
    case 0x0b:
    case 0xb9:
    case 0xff:  // undefined on purpose
    case 0xa1:
    case 0xa9:
    case 0xb2:
    case 0xb4:
    case 0xb5:  // pop FS, pop GS, lss, lfs, lgs
      instruction->course = kMustStop;
      break;
    case 0xae: {  // wrfsbase and wrgsbase are F3 0F AE /2 and /3; others of this form are rare
      uint8_t operation = (next_byte(cursor) >> 3) & 7;
      if (operation == 2 || operation == 3) instruction->course = kMustStop;
      break;
    }
    default: break;
  }
}

struct Instruction read_instruction(uint64_t address, struct ReadablePage* known) {
  struct Instruction instruction = {.course = kPlain, .at = address};
  struct Cursor cursor = {address, address, known, false};
  uint8_t opcode = next_byte(&cursor);
  while (!cursor.failed && is_prefix(opcode)) opcode = next_byte(&cursor);
  if ((opcode & 0xf0) == 0x70 || (opcode >= 0xe0 && opcode <= 0xe3)) {
    set_target(&instruction, kConditional, &cursor, 1);
  } else {
    switch (opcode) {
      case 0x0f: read_two_byte(&instruction, &cursor); break;
      case 0xe8:
      case 0xe9: set_target(&instruction, kDirect, &cursor, 4); break;
      case 0xeb: set_target(&instruction, kDirect, &cursor, 1); break;
      case 0xc2:
      case 0xc3: instruction.course = kAnywhere; break;
      case 0xff: {
        uint8_t operation = (next_byte(&cursor) >> 3) & 7;
        if (operation == 2 || operation == 4) instruction.course = kAnywhere;
        if (operation == 3 || operation == 5 || operation == 7) instruction.course = kMustStop;
        break;
      }
      case 0xc6:
      case 0xc7:  // xabort and xbegin
        if (next_byte(&cursor) == 0xf8) instruction.course = kMustStop;
        break;
      case 0x8e:  // mov to a segment register
      case 0x9c:
      case 0x9d:  // pushf, popf
      case 0xca:
      case 0xcb:
      case 0xcf:  // far returns
      case 0xcc:
      case 0xcd:
      case 0xce:
      case 0xf1:  // int3, int, into, int1
      case 0xd5:  // REX2: not known here
      case 0xf4:
      case 0xfa:
      case 0xfb:  // hlt, cli, sti
        instruction.course = kMustStop;
        break;
      default: break;
    }
  }
  if (cursor.failed) instruction.course = kMustStop;
  return instruction;
}

bool follows_system_call(uint64_t address, struct ReadablePage* known) {
  if (address < 2 || !is_readable(address - 2, known) || !is_readable(address - 1, known))
    return false;
  const volatile uint8_t* bytes = (const volatile uint8_t*)(address - 2);
  return bytes[0] == 0x0f && bytes[1] == 0x05;
}

enum Step classify_step(const struct Instruction* before, uint64_t ip) {
  switch (before->course) {
    case kAnywhere: return kTaken;
    case kConditional:
      if (ip == before->next) return kStraightOn;
      return ip == before->target ? kTaken : kLost;
    case kDirect: return ip == before->target ? kTaken : kLost;
    case kPlain: return ip - before->at <= kLongest ? kStraightOn : kLost;  // rep stays where it is
    case kMustStop: break;
  }
  return kLost;
}
