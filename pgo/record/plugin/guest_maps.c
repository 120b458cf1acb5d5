// Reads /proc/self/maps, where the guest's mappings stand among QEMU's own, at the same addresses
// (plus QEMU's guest_base).
//
// The hard part is that QEMU maps guest code without PROT_EXEC, since the processor never runs it,
// and the kernel then joins a program's read-only segments into one line. So the range and the
// protection come from the guest's system call (or the program headers, for what QEMU itself has
// loaded), and only file, offset and inode from the lines, cut to that range.
#define _GNU_SOURCE
#include "guest_maps.h"

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "guest_memory.h"

enum { kPageSize = 4096, kMaxHeaders = 128, kMaxNoteSize = 4096 };

// One line of the maps file. `path` is "" for anonymous memory.
struct MapsLine {
  uint64_t begin, end, file_offset, inode;
  unsigned device_major, device_minor;
  uint32_t flags;
  char path[4096];
};

static bool parse_line(const char* text, struct MapsLine* line) {
  char permissions[5] = "";
  int path_at = 0;
  unsigned long begin, end, offset, inode;
  if (sscanf(text, "%lx-%lx %4s %lx %x:%x %lu %n", &begin, &end, permissions, &offset,
             &line->device_major, &line->device_minor, &inode, &path_at) < 7) {
    return false;
  }
  line->begin = begin;
  line->end = end;
  line->file_offset = offset;
  line->inode = inode;
  line->flags = permissions[3] == 's' ? MAP_SHARED : MAP_PRIVATE;
  size_t size = strcspn(text + path_at, "\n");
  if (size >= sizeof line->path || inode == 0) size = 0;
  memcpy(line->path, text + path_at, size);
  line->path[size] = 0;
  return true;
}

// Calls visit(line, argument) for the lines of this process, in order of address.
static void for_each_line(void (*visit)(const struct MapsLine*, void*), void* argument) {
  FILE* maps = fopen("/proc/self/maps", "re");
  if (!maps) return;
  char* text = NULL;
  size_t capacity = 0;
  struct MapsLine line;
  while (getline(&text, &capacity, maps) > 0) {
    if (parse_line(text, &line)) visit(&line, argument);
  }
  free(text);
  fclose(maps);
}

// An ELF image to be read: a file, or this process's memory for a file that was deleted.
struct ElfSource {
  int fd;
  uint64_t base;  // where in fd the image starts
};

struct ProgramHeaders {
  Elf64_Ehdr file;
  Elf64_Phdr segments[kMaxHeaders];
};

static bool read_at(const struct ElfSource* source, uint64_t offset, void* out, size_t size) {
  return pread(source->fd, out, size, (off_t)(source->base + offset)) == (ssize_t)size;
}

static bool read_headers(const struct ElfSource* source, struct ProgramHeaders* headers) {
  Elf64_Ehdr* file = &headers->file;
  return read_at(source, 0, file, sizeof *file) && memcmp(file->e_ident, ELFMAG, SELFMAG) == 0 &&
         file->e_ident[EI_CLASS] == ELFCLASS64 && file->e_phnum <= kMaxHeaders &&
         file->e_phentsize == sizeof(Elf64_Phdr) &&
         read_at(source, file->e_phoff, headers->segments, file->e_phnum * sizeof(Elf64_Phdr));
}

// Finds NT_GNU_BUILD_ID in one PT_NOTE. Name and description are padded to 4 bytes each.
static bool find_build_id(const uint8_t* notes, size_t size, struct CodeMapping* mapping) {
  size_t at = 0;
  while (at + sizeof(Elf64_Nhdr) <= size) {
    Elf64_Nhdr note;
    memcpy(&note, notes + at, sizeof note);
    size_t name = at + sizeof note;
    size_t description = name + ((size_t)note.n_namesz + 3) / 4 * 4;
    size_t next = description + ((size_t)note.n_descsz + 3) / 4 * 4;
    if (description + note.n_descsz > size) return false;
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
        memcmp(notes + name, "GNU", 4) == 0 && note.n_descsz > 0) {
      size_t kept =
          note.n_descsz < sizeof mapping->build_id ? note.n_descsz : sizeof mapping->build_id;
      memcpy(mapping->build_id, notes + description, kept);
      mapping->build_id_size = (uint8_t)kept;
      return true;
    }
    at = next;
  }
  return false;
}

struct ImageSearch {
  uint64_t inode;
  uint64_t below;
  uint64_t found;  // where the file's first byte is mapped; 0: nowhere
};

static void search_image(const struct MapsLine* line, void* argument) {
  struct ImageSearch* search = argument;
  if (line->inode == search->inode && line->file_offset == 0 && line->begin <= search->below) {
    search->found = line->begin;
  }
}

// `mapping` has its path, inode and begin; adds the build ID, if there is one.
static void read_build_id(struct CodeMapping* mapping) {
  static const char kDeleted[] = " (deleted)";
  struct ElfSource source = {-1, 0};
  size_t length = strlen(mapping->path), suffix = sizeof kDeleted - 1;
  if (length > suffix && strcmp(mapping->path + length - suffix, kDeleted) == 0) {
    struct ImageSearch search = {mapping->inode, host_address(mapping->begin), 0};
    for_each_line(search_image, &search);
    if (search.found == 0) return;
    source.fd = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
    source.base = search.found;
  } else {
    source.fd = open(mapping->path, O_RDONLY | O_CLOEXEC);
  }
  if (source.fd < 0) return;
  struct ProgramHeaders headers;
  if (read_headers(&source, &headers)) {
    for (int i = 0; i < headers.file.e_phnum; i++) {
      const Elf64_Phdr* segment = &headers.segments[i];
      uint8_t notes[kMaxNoteSize];
      if (segment->p_type != PT_NOTE || segment->p_filesz > sizeof notes) continue;
      if (!read_at(&source, segment->p_offset, notes, segment->p_filesz)) continue;
      if (find_build_id(notes, segment->p_filesz, mapping)) break;
    }
  }
  close(source.fd);
}

// The part of one range that has been seen but not yet written: lines that continue each other
// are one mapping (the kernel splits them where QEMU changed the protection of pages).
struct RangeVisit {
  struct RecordOrigin origin;
  uint64_t begin, end;  // host addresses
  uint32_t protection;
  struct CodeMapping pending;
  bool has_pending;
};

static void flush_pending(struct RangeVisit* visit) {
  if (!visit->has_pending) return;
  visit->has_pending = false;
  if (visit->pending.inode == 0) {
    strcpy(visit->pending.path, "//anon");
  } else {
    read_build_id(&visit->pending);
  }
  put_mapping(visit->origin, &visit->pending);
}

static void visit_range(const struct MapsLine* line, void* argument) {
  struct RangeVisit* visit = argument;
  uint64_t begin = line->begin > visit->begin ? line->begin : visit->begin;
  uint64_t end = line->end < visit->end ? line->end : visit->end;
  if (begin >= end) return;
  uint64_t offset = line->inode ? line->file_offset + (begin - line->begin) : 0;
  struct CodeMapping* pending = &visit->pending;
  uint64_t guest_begin = begin - host_address(0);
  if (visit->has_pending && pending->inode == line->inode && pending->flags == line->flags &&
      pending->begin + pending->size == guest_begin &&
      (line->inode == 0 || pending->file_offset + pending->size == offset)) {
    pending->size += end - begin;
    return;
  }
  flush_pending(visit);
  memset(pending, 0, offsetof(struct CodeMapping, path));
  pending->begin = guest_begin;
  pending->size = end - begin;
  pending->file_offset = offset;
  pending->device_major = line->device_major;
  pending->device_minor = line->device_minor;
  pending->inode = line->inode;
  pending->protection = visit->protection;
  pending->flags = line->flags;
  strcpy(pending->path, line->path);
  visit->has_pending = true;
}

void record_mappings(struct RecordOrigin origin, uint64_t begin, uint64_t end,
                     uint32_t protection) {
  struct RangeVisit visit = {.origin = origin,
                             .begin = host_address(begin) / kPageSize * kPageSize,
                             .end = (host_address(end) + kPageSize - 1) / kPageSize * kPageSize,
                             .protection = protection};
  for_each_line(visit_range, &visit);
  flush_pending(&visit);
}

// Records the executable segments of an image that is loaded with `bias`.
static void record_segments(struct RecordOrigin origin, const struct ProgramHeaders* headers,
                            uint64_t bias) {
  for (int i = 0; i < headers->file.e_phnum; i++) {
    const Elf64_Phdr* segment = &headers->segments[i];
    if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X)) continue;
    uint32_t protection = PROT_EXEC | (segment->p_flags & PF_R ? (uint32_t)PROT_READ : 0) |
                          (segment->p_flags & PF_W ? (uint32_t)PROT_WRITE : 0);
    uint64_t begin = bias + segment->p_vaddr;
    record_mappings(origin, begin, begin + segment->p_filesz, protection);
  }
}

static bool read_file_headers(const char* path, struct ProgramHeaders* headers) {
  struct ElfSource source = {open(path, O_RDONLY | O_CLOEXEC), 0};
  if (source.fd < 0) return false;
  bool read = read_headers(&source, headers);
  close(source.fd);
  return read;
}

struct LineSearch {
  uint64_t address;
  char path[4096];
};

static void search_line(const struct MapsLine* line, void* argument) {
  struct LineSearch* search = argument;
  if (line->begin <= search->address && search->address < line->end) {
    strcpy(search->path, line->path);
  }
}

void record_program(struct RecordOrigin origin, const char* path, uint64_t start_code,
                    uint64_t first_ip) {
  struct ProgramHeaders headers;
  if (!read_file_headers(path, &headers)) {
    note_limitation("the headers of %s cannot be read: its addresses are not in the recording",
                    path);
    return;
  }
  uint64_t lowest = UINT64_MAX;
  for (int i = 0; i < headers.file.e_phnum; i++) {
    const Elf64_Phdr* segment = &headers.segments[i];
    if (segment->p_type == PT_LOAD && (segment->p_flags & PF_X) && segment->p_vaddr < lowest) {
      lowest = segment->p_vaddr;
    }
  }
  uint64_t bias = start_code - lowest;
  record_segments(origin, &headers, bias);
  if (first_ip == bias + headers.file.e_entry) return;  // a static program

  struct LineSearch loader = {host_address(first_ip), ""};
  for_each_line(search_line, &loader);
  if (loader.path[0] && read_file_headers(loader.path, &headers)) {
    record_segments(origin, &headers, first_ip - headers.file.e_entry);
  }
}
