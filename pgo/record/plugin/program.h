// What a command would execute: a program that QEMU can emulate, or why not; and which of its
// environment QEMU must not see. Used by the plugin for the guest's execve and by the recorder for
// the command itself (C and C++).
#pragma once

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// All memory from malloc; `arguments` ends with NULL.
struct ProgramCommand {
  char* path;
  char** arguments;
};

enum ProgramKind {
  kRefused,            // execve would fail: absent, not executable, of no known format
  kScript,             // only inside resolve_program
  kGuestProgram,       // an x86-64 ELF file
  kForeignProgram,     // another machine's, or not readable
  kPrivilegedProgram,  // set-user-id or set-group-id to somebody else
};

// Follows "#!" lines: in place of a script, `command` becomes its interpreter's.
enum ProgramKind resolve_program(struct ProgramCommand* command);

// Whether `variable` ("NAME=value") would change QEMU itself, as its dynamic loader, its C library
// or it reads its environment: such a one is meant for the guest and goes there by -E.
bool would_change_emulator(const char* variable);

#ifdef __cplusplus
}
#endif
