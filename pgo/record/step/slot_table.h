// The file that `pgo record --engine step` shares with the processes that it records (C and C++).
//
//       0  TableHeader
//    4096  the state of each slot, 8 bytes: what the recorder looks at
//   20480  kSlotCount slots of kSlotSize bytes
//
// A process takes a free slot, fills it and marks it full; the recorder reads the full ones many
// times a second and marks them free. There is no order between slots and no lock, so a process
// that is killed or stopped in the middle keeps nothing but its slot. When the recorder is gone the
// slots fill up, and the processes stop taking any. All disk space is allocated before the command
// starts: a store into the table never fails.
#pragma once

#include <stdint.h>

enum {
  kSlotSize = 1024,
  kSlotCount = 2048,
  kTableStatesAt = 4096,
  kTableSlotsAt = kTableStatesAt + kSlotCount * 8,
  kTableSize = kTableSlotsAt + kSlotCount * kSlotSize,
  kStackDepth = 32,  // as deep as the branch records of most processors
  kSlotText = 952,
  kClockSamples = 24,
};

#define PRODPGO_TABLE_VARIABLE "PRODPGO_STEP_TABLE"
#define PRODPGO_TABLE_MAGIC 0x3170657473676f70u

// Written by the recorder before the command starts, except what is said.
struct TableHeader {
  uint64_t magic;
  uint32_t closed;           // set at the end: nobody records any more
  uint32_t recorder;         // its process ID
  uint32_t steps_per_burst;  // at most
  uint32_t share_per_mille;  // of the CPU time of a thread that its bursts may take
  uint64_t period;           // of the timers: nanoseconds of CPU time of a thread
  uint64_t ticks_per_ms;     // of the time stamp counter
  uint64_t step_ticks;       // what a step costs here
  uint64_t spent_ticks;      // by all threads in bursts; the processes add to it
  uint64_t steps;            // of all threads; likewise
  uint64_t lost_samples;     // that found no free slot; likewise
};

enum SlotKind {
  kSlotProgram = 1,  // a program begins: `parent` is its parent process; text: its name
  kSlotFork = 2,     // a process was forked: by `parent`, a process
  kSlotThread = 3,   // a thread begins in this process
  kSlotMaps = 4,     // text: whole lines of /proc/PID/maps, executable mappings only
  kSlotSample = 5,   // PC samples, and a burst if its count is not 0
  kSlotNote = 6,     // text: what is not recorded, and why
  kSlotBlocked = 7,  // this thread begins with signals blocked, and may give no samples
};

// The state of a slot is one of these | process ID << 32; atomic.
enum SlotState { kSlotFree = 0, kSlotFilling = 1, kSlotFull = 2 };

struct StepBranch {
  uint64_t from, to;
};

struct StepSample {
  uint64_t timer_ip;  // where the timer found the thread: by CPU time
  uint64_t periods;   // of the timer that ran out before that
  uint64_t ip;        // where the burst ended
  uint32_t steps, count;
  struct StepBranch branches[kStackDepth];  // oldest first
};

// Where the timer found the thread when no burst began: PC samples by CPU time.
struct ClockSample {
  uint64_t ip;
  uint64_t periods;  // of the timer that ran out
};

struct Slot {
  uint32_t kind, pid, tid, parent;
  uint32_t size;  // of the text
  uint64_t time;  // CLOCK_MONOTONIC, nanoseconds
  union {
    struct {
      struct StepSample sample;
      uint32_t clock_count;
      struct ClockSample clock[kClockSamples];  // oldest first
    };
    char text[kSlotText];
  };
};

#ifdef __cplusplus
static_assert(sizeof(Slot) <= kSlotSize, "a slot fits");
static_assert(sizeof(TableHeader) <= kTableStatesAt, "the header fits its page");
#else
_Static_assert(sizeof(struct Slot) <= kSlotSize, "a slot fits");
_Static_assert(sizeof(struct TableHeader) <= kTableStatesAt, "the header fits its page");
#endif
