// The mark is a byte in a page with MADV_WIPEONFORK: a copy of it is zero.
#define _GNU_SOURCE
#include "recorded_process.h"

#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

static bool* mark;  // in a page of its own

static bool* make_mark(void) {
  const size_t size = (size_t)sysconf(_SC_PAGESIZE);
  void* page = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return NULL;
  if (madvise(page, size, MADV_WIPEONFORK) == 0) return page;
  munmap(page, size);
  return NULL;
}

bool mark_process(void) {
  if (!mark) mark = make_mark();
  if (mark) *mark = true;
  return mark != NULL;
}

bool is_recorded_process(void) { return mark && *mark; }
