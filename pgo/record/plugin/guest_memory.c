// Guest memory by way of process_vm_readv on ourselves: the kernel checks each page, so that a
// wild pointer is an error code. Strings are read up to the end of their page, then on.
#define _GNU_SOURCE
#include "guest_memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "qemu_plugin.h"

enum { kPageSize = 4096, kStringLimit = 128 * 1024 };  // the kernel's MAX_ARG_STRLEN

uintptr_t host_address(uint64_t guest_address) {
  return (uintptr_t)guest_address + (&guest_base ? guest_base : 0);
}

bool read_guest(uint64_t address, void* out, size_t size) {
  struct iovec to = {out, size};
  struct iovec from = {(void*)host_address(address), size};
  return process_vm_readv(getpid(), &to, 1, &from, 1, 0) == (ssize_t)size;
}

char* read_guest_string(uint64_t address, size_t limit) {
  char* string = NULL;
  size_t length = 0;
  while (length < limit) {
    size_t step = kPageSize - (size_t)((address + length) % kPageSize);
    char* longer = realloc(string, length + step + 1);
    if (!longer) break;
    string = longer;
    if (!read_guest(address + length, string + length, step)) break;
    size_t found = strnlen(string + length, step);
    length += found;
    if (found < step) return string;
  }
  free(string);
  return NULL;
}

char** read_guest_strings(uint64_t address) {
  size_t capacity = 64;
  char** strings = calloc(capacity, sizeof *strings);
  if (!strings || address == 0) return strings;
  for (size_t count = 0;; count++) {
    if (count + 1 == capacity) {
      char** longer = realloc(strings, 2 * capacity * sizeof *strings);
      if (!longer) break;
      strings = longer;
      capacity *= 2;
    }
    strings[count] = NULL;
    uint64_t pointer = 0;
    if (!read_guest(address + count * sizeof pointer, &pointer, sizeof pointer)) break;
    if (pointer == 0) return strings;
    strings[count] = read_guest_string(pointer, kStringLimit);
    if (!strings[count]) break;
    strings[count + 1] = NULL;
  }
  free_strings(strings);
  return NULL;
}

void free_strings(char** strings) {
  if (!strings) return;
  for (char** string = strings; *string; string++) free(*string);
  free(strings);
}

size_t count_strings(char* const* strings) {
  size_t count = 0;
  while (strings[count]) count++;
  return count;
}
