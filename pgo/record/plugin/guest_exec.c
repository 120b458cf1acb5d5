// Turns the guest's execve into one of QEMU: qemu -plugin ... -0 ARGV0 PROGRAM ARGS...
//
// The kernel keeps for QEMU what it would keep for the program (pid, descriptors, signal mask,
// ignored signals), so only three things need thought. Scripts are resolved here, since QEMU loads
// ELF files only (program.h). Variables that the dynamic loader or QEMU reads (LD_PRELOAD,
// QEMU_LOG) must reach the guest but not QEMU itself, so they go through QEMU's -E option, which
// cannot carry a comma. And /proc/self/exe, which means QEMU to the kernel, means the guest's
// program to the guest.
#define _GNU_SOURCE
#include "guest_exec.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "guest_memory.h"
#include "note_list.h"
#include "program.h"

enum { kPathLimit = 4096, kMaxOptions = 16 };

// The same random bytes for the same program, as far as QEMU hands them out (AT_RANDOM).
static const char kSeed[] = "1";

// What does not change from program to program.
static struct {
  char qemu[kPathLimit];
  char plugin_option[4 * kPathLimit];
  char cpu[64];
  char loss[32];
  char program[kPathLimit];  // the guest's, absolute
} again;

void remember_program(const char* path) {
  snprintf(again.program, sizeof again.program, "%s", path);
}

struct ExecPlan {
  struct ProgramCommand command;
  char** environment;
  char name[16];  // what the kernel would call the process: for a script, the script
};

void append_doubling_commas(char* out, size_t limit, const char* text) {
  size_t at = strlen(out);
  for (; *text && at + 2 < limit; text++) {
    if (*text == ',') out[at++] = ',';
    out[at++] = *text;
  }
  out[at] = 0;
}

bool remember_exec_options(const struct ExecOptions* options) {
  ssize_t size = readlink("/proc/self/exe", again.qemu, sizeof again.qemu - 1);
  Dl_info plugin;
  char path[kPathLimit];
  if (size <= 0 || !dladdr((void*)&again, &plugin) || !realpath(plugin.dli_fname, path)) {
    fprintf(stderr, "prodpgo: qemu and the plugin cannot find themselves: is /proc mounted?\n");
    return false;
  }
  size_t limit = sizeof again.plugin_option;
  append_doubling_commas(again.plugin_option, limit, path);
  size_t at = strlen(again.plugin_option);
  snprintf(again.plugin_option + at, limit - at, ",%s", options->arguments);
  snprintf(again.cpu, sizeof again.cpu, "%s", options->cpu);
  snprintf(again.loss, sizeof again.loss, "%s", options->loss);
  return true;
}

static void free_plan(struct ExecPlan* plan) {
  free(plan->command.path);
  free_strings(plan->command.arguments);
  free_strings(plan->environment);
  free(plan);
}

// /proc/self/exe and its other names, as the guest means them.
static bool is_own_executable(const char* path) {
  char by_pid[64];
  snprintf(by_pid, sizeof by_pid, "/proc/%d/exe", (int)getpid());
  return strcmp(path, "/proc/self/exe") == 0 || strcmp(path, "/proc/thread-self/exe") == 0 ||
         strcmp(path, by_pid) == 0;
}

// The path that the call names, to be freed; NULL when there is none.
static char* read_exec_path(const struct ExecCall* call) {
  char* path = read_guest_string(call->path, kPathLimit);
  if (!path) return NULL;
  if (is_own_executable(path)) {
    free(path);
    return strdup(again.program);
  }
  if (path[0] == '/' || call->directory == AT_FDCWD) return path;
  // Relative to a descriptor, which may be closed by the very execve: take the name behind it.
  char link[64], target[kPathLimit];
  snprintf(link, sizeof link, "/proc/self/fd/%d", call->directory);
  ssize_t size = readlink(link, target, sizeof target - 1);
  char* joined = NULL;
  if (size > 0) {
    target[size] = 0;
    if (asprintf(&joined, "%s%s%s", target, path[0] ? "/" : "", path) < 0) joined = NULL;
  }
  free(path);
  return joined;
}

// Follows scripts to the program that runs them; leaves a note when it cannot.
static bool can_follow(struct ExecPlan* plan) {
  enum ProgramKind kind = resolve_program(&plan->command);
  const char* obstacle = NULL;
  if (kind == kForeignProgram) obstacle = "is not a readable x86-64 program";
  if (kind == kPrivilegedProgram) obstacle = "gains privileges when executed";
  if (obstacle) {
    note_limitation("%s, executed by process %d, %s: it %s", plan->command.path, (int)getpid(),
                    again.loss, obstacle);
  }
  return kind == kGuestProgram;
}

struct ExecPlan* plan_exec(const struct ExecCall* call) {
  struct ExecPlan* plan = calloc(1, sizeof *plan);
  if (!plan) return NULL;
  plan->command.path = read_exec_path(call);
  plan->command.arguments = read_guest_strings(call->arguments);
  plan->environment = read_guest_strings(call->environment);
  if (plan->command.path && plan->command.arguments && plan->environment) {
    const char* slash = strrchr(plan->command.path, '/');
    snprintf(plan->name, sizeof plan->name, "%s", slash ? slash + 1 : plan->command.path);
    if (can_follow(plan)) return plan;
  }
  free_plan(plan);
  return NULL;
}

void run_exec_plan(struct ExecPlan* plan) {
  char** arguments = plan->command.arguments;
  size_t count = count_strings(arguments), variables = count_strings(plan->environment);
  char plugin_option[sizeof again.plugin_option + 64];
  strcpy(plugin_option, again.plugin_option);
  strcat(plugin_option, ",comm=");
  append_doubling_commas(plugin_option, sizeof plugin_option, plan->name);
  char** command = calloc(kMaxOptions + count + 2 * variables, sizeof *command);
  char** environment = calloc(variables + 1, sizeof *environment);
  if (command && environment) {
    size_t at = 0, kept = 0;
    command[at++] = again.qemu;
    command[at++] = (char*)"-plugin";
    command[at++] = plugin_option;
    command[at++] = (char*)"-seed";
    command[at++] = (char*)kSeed;
    if (again.cpu[0]) {
      command[at++] = (char*)"-cpu";
      command[at++] = again.cpu;
    }
    for (size_t i = 0; i < variables; i++) {
      char* variable = plan->environment[i];
      if (!would_change_emulator(variable)) {
        environment[kept++] = variable;
      } else if (strchr(variable, ',')) {
        note_limitation("%s runs without %.40s...: QEMU cannot pass on a comma", plan->command.path,
                        variable);
      } else {
        command[at++] = (char*)"-E";
        command[at++] = variable;
      }
    }
    if (count > 0) {
      command[at++] = (char*)"-0";
      command[at++] = arguments[0];
    }
    command[at++] = plan->command.path;
    for (size_t i = 1; i < count; i++) command[at++] = arguments[i];
    execve(again.qemu, command, environment);
  }
  note_limitation("%s, executed by process %d, %s: %s: %s", plan->command.path, (int)getpid(),
                  again.loss, again.qemu, strerror(errno));
  free(command);
  free(environment);
  free_plan(plan);
}
