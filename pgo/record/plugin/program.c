// Looks at the first bytes of a program as the kernel's execve does.
//
// A script's first line is "#!PROGRAM [ARGUMENT]", of which everything behind the first blanks is
// one argument; the kernel reads 256 bytes of it. What the kernel would refuse is not explained
// here: whoever asks lets the kernel refuse it.
#define _GNU_SOURCE
#include "program.h"

#include <elf.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { kMaxInterpreters = 4, kHeadSize = 256 };

static enum ProgramKind classify_program(const char* path, char head[kHeadSize]) {
  struct stat status;
  if (stat(path, &status) != 0 || !S_ISREG(status.st_mode) ||
      faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) != 0) {
    return kRefused;
  }
  if (((status.st_mode & S_ISUID) && status.st_uid != geteuid()) ||
      ((status.st_mode & (S_ISGID | S_IXGRP)) == (S_ISGID | S_IXGRP) &&
       status.st_gid != getegid())) {
    return kPrivilegedProgram;
  }
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return kForeignProgram;  // executable but not readable: only the kernel can
  ssize_t size = pread(fd, head, kHeadSize - 1, 0);
  close(fd);
  head[size > 0 ? size : 0] = 0;
  if (size > 2 && head[0] == '#' && head[1] == '!') return kScript;
  Elf64_Ehdr header;
  if (size < (ssize_t)sizeof header) return kRefused;
  memcpy(&header, head, sizeof header);
  if (memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return kRefused;
  bool ours = header.e_ident[EI_CLASS] == ELFCLASS64 && header.e_machine == EM_X86_64;
  return ours ? kGuestProgram : kForeignProgram;
}

// Puts a script's interpreter in front of the arguments: "#!PROGRAM [ARGUMENT]" before SCRIPT and
// what followed argv[0]. False when memory is short or the line names nothing.
static bool insert_interpreter(struct ProgramCommand* command, char* head) {
  char* line = head + 2;
  line[strcspn(line, "\n")] = 0;
  line += strspn(line, " \t");
  char* rest = line + strcspn(line, " \t");
  char* argument = rest + strspn(rest, " \t");
  *rest = 0;
  size_t size = strlen(argument);
  while (size > 0 && (argument[size - 1] == ' ' || argument[size - 1] == '\t')) {
    argument[--size] = 0;
  }
  if (!*line) return false;

  size_t count = 0, out = 0;
  while (command->arguments[count]) count++;
  char** longer = calloc(count + 4, sizeof *longer);
  char* program = strdup(line);
  if (!longer || !program) {
    free(longer);
    free(program);
    return false;
  }
  longer[out++] = strdup(line);
  if (*argument) longer[out++] = strdup(argument);
  longer[out++] = command->path;
  for (size_t i = 1; i < count; i++) longer[out++] = command->arguments[i];
  if (count > 0) free(command->arguments[0]);
  free(command->arguments);
  command->arguments = longer;
  command->path = program;
  return true;
}

enum ProgramKind resolve_program(struct ProgramCommand* command) {
  char head[kHeadSize];
  for (int depth = 0; depth <= kMaxInterpreters; depth++) {
    enum ProgramKind kind = classify_program(command->path, head);
    if (kind != kScript) return kind;
    if (!insert_interpreter(command, head)) return kRefused;
  }
  return kRefused;  // ELOOP to the kernel
}

bool would_change_emulator(const char* variable) {
  return strncmp(variable, "LD_", 3) == 0 || strncmp(variable, "GLIBC_TUNABLES=", 15) == 0 ||
         strncmp(variable, "QEMU_", 5) == 0;
}
