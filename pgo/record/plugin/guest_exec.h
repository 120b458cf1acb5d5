// Follows the guest's execve: QEMU would start the new program natively, unrecorded. Here the
// process executes QEMU again instead, with the same plugin, which joins what this one writes, and
// the new program as its guest.
//
// Followed: x86-64 ELF programs and scripts ("#!"), by execve and execveat. Not followed, with a
// note that names the program: programs for other machines (i386), those that gain privileges when
// executed (set-user-id), scripts deeper than 4 interpreters. What the kernel would refuse is left
// to the kernel, so that the guest sees its error.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// How a plugin is started again for the next program.
struct ExecOptions {
  const char* arguments;  // of the plugin there, "join=on,out=FILE", with commas doubled in values
  const char* cpu;        // QEMU's CPU model; "" for its default
  const char* loss;       // what a program that cannot be followed is: "is not recorded"
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
bool remember_exec_options(const struct ExecOptions* options);

// Appends `text` as the value of a plugin's argument: QEMU splits the option at commas, and a
// doubled comma stands for one. `limit` is the size of `out`.
void append_doubling_commas(char* out, size_t limit, const char* text);

// What /proc/self/exe means to the guest; an absolute path.
void remember_program(const char* path);

// What to execute instead; NULL when the call is to run as it is.
struct ExecPlan* plan_exec(const struct ExecCall* call);

// Does not return, unless the kernel refuses; then a note is left and the plan freed. The caller
// sees to it that no other thread writes meanwhile. The plugin gets the name of the program, too,
// as its argument comm=.
void run_exec_plan(struct ExecPlan* plan);
