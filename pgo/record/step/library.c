// prodpgo_stepper.so, which `pgo record --engine step` has the dynamic loader preload: begins to
// record a program before its main().
//
// It stays out of programs where stepping is not safe; the recorder refuses those that it can
// recognize, but what they execute comes here unseen.
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "recorded_process.h"
#include "stepper.h"
#include "table_writer.h"

// A debugger takes each SIGTRAP for its own.
static bool is_traced(void) {
  char text[2048];
  int fd = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return true;
  ssize_t size = read(fd, text, sizeof text - 1);
  close(fd);
  text[size > 0 ? size : 0] = 0;
  const char* field = strstr(text, "\nTracerPid:");
  return !field || atoi(field + strlen("\nTracerPid:")) != 0;
}

static void note(struct SlotOrigin origin, const char* text) {
  put_text(origin, kSlotNote, 0, text, (uint32_t)strlen(text));
}

static __attribute__((constructor)) void begin(void) {
  const char* path = getenv(PRODPGO_TABLE_VARIABLE);
  if (!path || !open_table(path)) return;
  const struct SlotOrigin origin = {(uint32_t)getpid(), (uint32_t)gettid()};
  char name[16] = "";
  prctl(PR_GET_NAME, name);
  put_text(origin, kSlotProgram, (uint32_t)getppid(), name, (uint32_t)strlen(name));
  if (is_traced()) {
    note(origin, "is not recorded: a debugger traces it");
    return;
  }
  if (!mark_process()) {
    note(origin, "is not recorded: the kernel wipes no memory in forks (MADV_WIPEONFORK)");
    return;
  }
  put_maps(origin);
  if (!start_stepping()) {
    note(origin, "is not recorded: it was started with SIGTRAP or SIGRTMAX-3 ignored");
    return;
  }
  if (!has_timer()) note(origin, "is not recorded: the kernel gives it no timer");
  pthread_atfork(NULL, NULL, rearm_after_fork);
  at_quick_exit(finish_samples);  // which is called last
}

// exit() calls it.
static __attribute__((destructor)) void end(void) { finish_samples(); }
