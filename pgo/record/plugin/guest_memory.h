// Reads the guest's memory by guest address. A pointer that the guest made up reads as "not there"
// instead of ending the process, which is why nothing here dereferences one.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Copies `size` bytes; false when they are not all readable.
bool read_guest(uint64_t address, void* out, size_t size);

// A copy of a NUL-terminated string of less than `limit` bytes, to be freed; NULL when there is
// none.
char* read_guest_string(uint64_t address, size_t limit);

// A copy of a NULL-terminated array of strings, itself NULL-terminated, freed by free_strings.
// A null address is an empty array, as execve takes it. NULL when it is not readable.
char** read_guest_strings(uint64_t address);
void free_strings(char** strings);
size_t count_strings(char* const* strings);

// Host address of a guest address.
uintptr_t host_address(uint64_t guest_address);
