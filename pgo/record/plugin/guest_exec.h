// Follows the guest's execve: QEMU would start the new program natively, unrecorded. Here the
// process executes QEMU again instead, with this plugin joining the recording and the new program
// as its guest.
//
// Followed: x86-64 ELF programs and scripts ("#!"), by execve and execveat. Not followed, with a
// note that names the program: programs for other machines (i386), those that gain privileges when
// executed (set-user-id), scripts deeper than 4 interpreters. What the kernel would refuse is left
// to the kernel, so that the guest sees its error.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "part_file.h"

// How the plugin was started.
struct RecorderOptions {
  const char* out;
  const char* cpu;   // QEMU's CPU model for the programs that are executed; "" for its default
  const char* comm;  // what the kernel would call the first program; "": by its path
  uint64_t period;
  enum PartOwner owner;
  bool quiet;  // see keep_notes_quiet
};

enum { AT_FDCWD_VALUE = -100 };

// The guest's arguments of execve (with AT_FDCWD and flags 0) or execveat.
struct ExecCall {
  int directory;
  uint64_t path, arguments, environment;  // guest addresses
  int flags;
};

struct ExecPlan;

// Copies what plan_exec needs. False, with a message on standard error, when QEMU or the plugin
// cannot be found again.
bool remember_exec_options(const struct RecorderOptions* options);

// What /proc/self/exe means to the guest; an absolute path.
void remember_program(const char* path);

// What to execute instead; NULL when the call is to run as it is.
struct ExecPlan* plan_exec(const struct ExecCall* call);

// Does not return, unless the kernel refuses; then a note is left and the plan freed. The caller
// holds the recorder's lock and has called pause_part.
void run_exec_plan(struct ExecPlan* plan);
