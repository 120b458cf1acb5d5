// What the next instruction of a thread does to its course: enough to tell taken branches, and to
// stop a burst before anything that must not be stepped over (C and C++).
#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum Course {
  kPlain,        // goes on behind itself
  kConditional,  // or goes to `target`
  kDirect,       // goes to `target`
  kAnywhere,     // indirect jumps and calls, returns
  kMustStop,     // not to be stepped: see instruction.c
};

struct Instruction {
  enum Course course;
  uint64_t at;
  uint64_t target, next;  // of kConditional and kDirect
};

// The page whose memory was last found readable. One for each burst: memory may be unmapped between
// two.
struct ReadablePage {
  uint64_t next;  // the number of the page behind it; 0: none is known
};

// Never faults: memory that cannot be read is kMustStop.
struct Instruction read_instruction(uint64_t address, struct ReadablePage* known);

// Is the instruction before `address` a system call?
bool follows_system_call(uint64_t address, struct ReadablePage* known);

enum Step { kStraightOn, kTaken, kLost };
// How a thread came from `before` to `ip` in one step. kLost: not by that instruction, but by a
// signal handler that changed its course, or a restartable sequence that began again.
enum Step classify_step(const struct Instruction* before, uint64_t ip);

#ifdef __cplusplus
}
#endif
