// Which files the guest's executable addresses belong to, told as MMAP2 records.
#pragma once

#include <stdint.h>

#include "part_file.h"

// Records what is mapped in the guest's [begin, end), as the kernel would for mmap or mprotect with
// PROT_EXEC; `protection` is what the guest asked for. The caller holds the recorder's lock.
void record_mappings(struct RecordOrigin origin, uint64_t begin, uint64_t end, uint32_t protection);

// Records the program that was just started, and its dynamic loader if the first instruction, at
// `first_ip`, is in one. `path` and `start_code` are what QEMU says about the program.
void record_program(struct RecordOrigin origin, const char* path, uint64_t start_code,
                    uint64_t first_ip);
