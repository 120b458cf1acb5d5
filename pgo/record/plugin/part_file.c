// Writes perf.data records through a window of the part's file.
//
// The window moves on when a record does not fit: space is allocated before it is mapped, so that
// a full disk is an error code here and not a SIGBUS later. A record is copied first and the data
// size in the file's header raised after it: whoever reads the file meanwhile sees whole records.
//
// Time is the number of instructions that the recording has executed, kept in the first part's
// page for all processes. A thread adds its own when it writes a record, under an atomic addition
// of at least one: times are unique, ordered as records were written, and later than everything
// that led to them. All records carry the sample_id trailer {pid, tid, time}.
#define _GNU_SOURCE
#include "part_file.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { kPageSize = 4096, kFirstWindow = 64 * 1024, kLargestWindow = 4 * 1024 * 1024 };

struct PartHeader {
  char magic[8];
  uint64_t size, attr_size;
  uint64_t attrs_offset, attrs_size, data_offset, data_size, types_offset, types_size;
  uint64_t features[4];
  struct perf_event_attr attr;
  uint64_t ids_offset, ids_size;
};
_Static_assert(offsetof(struct PartHeader, attr) == 104, "perf_file_header is 104 bytes");
_Static_assert(sizeof(struct PartHeader) <= kStateOffset, "header and state do not overlap");
_Static_assert(kStateOffset + sizeof(struct RecordingState) <= kDataOffset, "state fits its page");

struct Trailer {
  uint32_t pid, tid;
  uint64_t time;
};

// The process's one part. A plugin has no object of its own to keep it in.
static struct {
  char recording[4000];  // absolute path of the first part
  char path[4096];       // of this part
  struct PartEvent event;
  struct RecordingState* state;
  struct PartHeader* header;
  char* window;
  uint64_t window_offset, window_size;  // in the file
  uint64_t end;                         // file offset where the next record goes
  bool open;
} part;

const char* recording_path(void) { return part.recording; }

static void* map_page(const char* path) {
  int fd = open(path, O_RDWR | O_CLOEXEC);
  if (fd < 0) return NULL;
  void* page = mmap(NULL, kPageSize, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  int error = errno;
  close(fd);
  errno = error;
  return page == MAP_FAILED ? NULL : page;
}

static bool create_file(const char* path, int exclusive) {
  int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | exclusive, 0666);
  if (fd < 0) return false;
  int error = posix_fallocate(fd, 0, kDataOffset);
  close(fd);
  errno = error;
  return error == 0;
}

static void fill_header(struct PartHeader* header) {
  *header = (struct PartHeader){0};
  memcpy(header->magic, "PERFILE2", sizeof header->magic);
  header->size = offsetof(struct PartHeader, attr);
  header->attr_size = sizeof(struct PartHeader) - header->size;
  header->attrs_offset = header->size;
  header->attrs_size = header->attr_size;
  header->data_offset = kDataOffset;
  struct perf_event_attr* attr = &header->attr;
  attr->type = part.event.type;
  attr->size = sizeof *attr;
  attr->config = part.event.config;
  attr->sample_period = part.event.period;
  attr->sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD |
                      PERF_SAMPLE_BRANCH_STACK;
  attr->branch_sample_type = PERF_SAMPLE_BRANCH_ANY | PERF_SAMPLE_BRANCH_USER;
  attr->inherit = attr->exclude_kernel = attr->exclude_hv = 1;
  attr->mmap = attr->mmap2 = attr->build_id = attr->comm = attr->comm_exec = attr->task = 1;
  attr->sample_id_all = 1;
}

// Maps file space for at least `size` more bytes behind `part.end`.
static bool move_window(uint64_t size) {
  uint64_t offset = part.end / kPageSize * kPageSize;
  uint64_t length = part.window_size ? 2 * part.window_size : kFirstWindow;
  if (length > kLargestWindow) length = kLargestWindow;
  while (offset + length < part.end + size) length *= 2;
  if (part.window) munmap(part.window, part.window_size);
  part.window = NULL;

  int fd = open(part.path, O_RDWR | O_CLOEXEC);
  if (fd < 0) return false;
  int error = posix_fallocate(fd, (off_t)offset, (off_t)length);
  void* window = MAP_FAILED;
  if (error == 0) {
    window = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)offset);
    error = errno;
  }
  close(fd);
  errno = error;
  if (window == MAP_FAILED) return false;
  part.window = window;
  part.window_offset = offset;
  part.window_size = length;
  return true;
}

// Starts the file `part.path`, which exists and holds one page.
static bool start_part(void) {
  part.open = false;
  if (part.window) munmap(part.window, part.window_size);
  part.window = NULL;
  part.window_size = 0;
  part.end = kDataOffset;
  part.header = map_page(part.path);
  if (!part.header) return false;
  fill_header(part.header);
  part.open = true;
  return true;
}

static bool start_next_part(void) {
  uint32_t number = __atomic_fetch_add(&part.state->parts, 1, __ATOMIC_RELAXED);
  snprintf(part.path, sizeof part.path, "%s.%u", part.recording, number);
  return create_file(part.path, 0) && start_part();
}

bool begin_part(const char* path, enum PartOwner owner, const struct PartEvent* event) {
  if (strlen(path) >= sizeof part.recording) {
    errno = ENAMETOOLONG;
    return false;
  }
  strcpy(part.recording, path);
  part.event = *event;
  if (owner == kFirstProcess && !create_file(path, 0)) return false;
  char* page = map_page(path);
  if (!page) return false;
  part.state = (struct RecordingState*)(page + kStateOffset);
  keep_notes_in(&part.state->notes);
  if (owner == kJoiningProcess) return start_next_part();
  strcpy(part.path, path);
  part.state->parts = 1;
  return start_part();
}

static void stop_recording(const char* what) {
  part.open = false;
  note_limitation("process %d is not recorded any further: %s %s: %s", (int)getpid(), what,
                  part.path, strerror(errno));
}

void begin_forked_part(void) {
  if (!part.state || !part.open) return;
  munmap(part.header, kPageSize);
  part.header = NULL;
  if (!start_next_part()) stop_recording("cannot create");
}

void pause_part(void) {
  if (!part.open) return;
  if (part.window) munmap(part.window, part.window_size);
  part.window = NULL;
  part.window_size = 0;
  // Should this fail, the size in the header still says where the records end.
  if (truncate(part.path, (off_t)part.end) != 0) return;
}

void end_part(void) {
  pause_part();
  part.open = false;
}

static uint64_t next_time(struct RecordOrigin origin) {
  uint64_t passed = *origin.instructions ? *origin.instructions : 1;
  *origin.instructions = 0;
  __atomic_fetch_add(&part.state->taken_branches, *origin.branches, __ATOMIC_RELAXED);
  *origin.branches = 0;
  return __atomic_fetch_add(&part.state->clock, passed, __ATOMIC_RELAXED) + passed;
}

static void append(const void* record, size_t size) {
  if (part.end + size > part.window_offset + part.window_size || !part.window) {
    if (!move_window(size)) {
      stop_recording("cannot grow");
      return;
    }
  }
  memcpy(part.window + (part.end - part.window_offset), record, size);
  part.end += size;
  __atomic_store_n(&part.header->data_size, part.end - kDataOffset, __ATOMIC_RELEASE);
}

static void put_trailer(void* at, struct RecordOrigin origin, uint64_t time) {
  struct Trailer trailer = {origin.pid, origin.tid, time};
  memcpy(at, &trailer, sizeof trailer);
}

void put_comm(struct RecordOrigin origin, const char* name, bool by_exec) {
  if (!part.open) return;
  struct {
    struct perf_event_header header;
    uint32_t pid, tid;
    char name[16];
    struct Trailer trailer;
  } record = {{PERF_RECORD_COMM, by_exec ? PERF_RECORD_MISC_COMM_EXEC : 0, sizeof record},
              origin.pid,
              origin.tid,
              "",
              {origin.pid, origin.tid, next_time(origin)}};
  memcpy(record.name, name, strnlen(name, sizeof record.name - 1));
  append(&record, sizeof record);
}

static void put_task(uint32_t type, struct RecordOrigin origin, uint32_t parent_pid,
                     uint32_t parent_tid) {
  if (!part.open) return;
  uint64_t time = next_time(origin);
  struct {
    struct perf_event_header header;
    uint32_t pid, parent_pid, tid, parent_tid;
    uint64_t time;
    struct Trailer trailer;
  } record = {{type, 0, sizeof record},      origin.pid, parent_pid, origin.tid, parent_tid, time,
              {origin.pid, origin.tid, time}};
  append(&record, sizeof record);
}

void put_fork(struct RecordOrigin origin, uint32_t parent_pid, uint32_t parent_tid) {
  put_task(PERF_RECORD_FORK, origin, parent_pid, parent_tid);
}

void put_exit(struct RecordOrigin origin, uint32_t parent_pid, uint32_t parent_tid) {
  put_task(PERF_RECORD_EXIT, origin, parent_pid, parent_tid);
}

void put_mapping(struct RecordOrigin origin, const struct CodeMapping* mapping) {
  if (!part.open) return;
  struct Mmap2 {
    struct perf_event_header header;
    uint32_t pid, tid;
    uint64_t begin, size, file_offset;
    union {
      struct {
        uint32_t major, minor;
        uint64_t inode, generation;
      } file;
      struct {
        uint8_t size, reserved[3], bytes[20];
      } build_id;
    };
    uint32_t protection, flags;
  };
  _Alignas(8) char record[sizeof(struct Mmap2) + sizeof mapping->path + 8 + sizeof(struct Trailer)];
  struct Mmap2* head = (struct Mmap2*)record;
  size_t name_size = strnlen(mapping->path, sizeof mapping->path - 1);
  size_t padded_size = (name_size + 8) / 8 * 8;
  *head = (struct Mmap2){.header = {PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER, 0},
                         .pid = origin.pid,
                         .tid = origin.tid,
                         .begin = mapping->begin,
                         .size = mapping->size,
                         .file_offset = mapping->file_offset,
                         .protection = mapping->protection,
                         .flags = mapping->flags};
  if (mapping->build_id_size) {
    head->header.misc |= PERF_RECORD_MISC_MMAP_BUILD_ID;
    head->build_id.size = mapping->build_id_size;
    memcpy(head->build_id.bytes, mapping->build_id, sizeof head->build_id.bytes);
  } else {
    head->file.major = mapping->device_major;
    head->file.minor = mapping->device_minor;
    head->file.inode = mapping->inode;
  }
  memset(record + sizeof *head, 0, padded_size);
  memcpy(record + sizeof *head, mapping->path, name_size);
  size_t size = sizeof *head + padded_size + sizeof(struct Trailer);
  head->header.size = (uint16_t)size;  // at most 72 + 4096 + 16
  put_trailer(record + sizeof *head + padded_size, origin, next_time(origin));
  append(record, size);
}

void put_sample(struct RecordOrigin origin, uint64_t ip, const struct Branch ring[kRingDepth],
                unsigned newest, unsigned count, uint64_t period) {
  if (!part.open) return;
  struct {
    struct perf_event_header header;
    uint64_t ip;
    uint32_t pid, tid;
    uint64_t time, period, count;
    struct perf_branch_entry entries[kRingDepth];
  } record = {.header = {PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, 0},
              .ip = ip,
              .pid = origin.pid,
              .tid = origin.tid,
              .time = next_time(origin),
              .period = period,
              .count = count};
  for (unsigned i = 0; i < count; i++) {
    const struct Branch* branch = &ring[(newest - i) % kRingDepth];
    record.entries[i].from = branch->from;
    record.entries[i].to = branch->to;
  }
  size_t size = sizeof record - (kRingDepth - count) * sizeof record.entries[0];
  record.header.size = (uint16_t)size;  // at most 816
  append(&record, size);
}
