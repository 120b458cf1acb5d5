// Tells the process that is recorded from a child with a copy of its memory that no handler of
// fork() has prepared: _Fork(), system calls. The kernel wipes the mark in each copy, so nothing
// has to be asked of it, which a filter of system calls might forbid. A child that shares the
// memory (vfork()) finds the mark. (C and C++)
#pragma once

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

// Called first before there are other threads, and once more in each child that is to be recorded.
// False if the kernel cannot wipe memory.
bool mark_process(void);
bool is_recorded_process(void);

#ifdef __cplusplus
}
#endif
