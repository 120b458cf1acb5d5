// One process's part of a recording (C and C++): a perf.data file that grows through a memory
// mapping.
//
// Nothing here keeps a file descriptor open (a guest that closes all of them, as daemons do, would
// close or reuse it) and nothing is buffered (a killed process loses nothing). Every function but
// begin_part expects the caller to hold the recorder's lock; a part that could not be begun or
// grown ignores further records and leaves one note.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "recording_state.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { kRingDepth = 32 };  // as deep as the branch records of most processors

struct Branch {
  uint64_t from;
  uint64_t to;
};

// Who a record is about and how many instructions that thread has run since its last record.
struct RecordOrigin {
  uint32_t pid;
  uint32_t tid;
  uint64_t* instructions;  // set to zero once they are in the clock
  uint64_t* branches;      // likewise
};

// A mapping of the guest, as MMAP2 describes it.
struct CodeMapping {
  uint64_t begin;
  uint64_t size;
  uint64_t file_offset;
  uint32_t device_major, device_minor;
  uint64_t inode;
  uint32_t protection;  // PROT_*
  uint32_t flags;       // MAP_SHARED or MAP_PRIVATE
  uint8_t build_id[20];
  uint8_t build_id_size;  // 0: unknown, then the device and inode are written instead
  char path[4096];
};

enum PartOwner {
  kFirstProcess,   // makes the recording, replacing a file of that name
  kJoiningProcess  // adds the next part to a recording that exists
};

// What is sampled, as perf_event_attr has it.
struct PartEvent {
  uint32_t type;  // PERF_TYPE_*
  uint64_t config;
  uint64_t period;
};

// `path` must be absolute. False, with errno, when the file cannot be made.
bool begin_part(const char* path, enum PartOwner owner, const struct PartEvent* event);
// The next part, for a process that has just been forked and must leave its parent's alone.
void begin_forked_part(void);
// Cuts the file to what it holds; later records are ignored.
void end_part(void);
// Cuts the file to what it holds; the next record makes it grow again.
void pause_part(void);
// What the recorder was begun with; for the next program of this process.
const char* recording_path(void);

void put_comm(struct RecordOrigin origin, const char* name, bool by_exec);
void put_fork(struct RecordOrigin origin, uint32_t parent_pid, uint32_t parent_tid);
void put_exit(struct RecordOrigin origin, uint32_t parent_pid, uint32_t parent_tid);
void put_mapping(struct RecordOrigin origin, const struct CodeMapping* mapping);
// `newest` indexes the ring entry that was written last.
void put_sample(struct RecordOrigin origin, uint64_t ip, const struct Branch ring[kRingDepth],
                unsigned newest, unsigned count, uint64_t period);

#ifdef __cplusplus
}
#endif
