// Programs for whole-path fuzz targets to start from: small ones as they are linked, and what
// readers of ELF files and LLVM have stumbled over.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tests/data/byte_writer.h"

namespace pgo::test {

using NamedBytes = std::vector<std::pair<std::string, ByteVector>>;

// Those at `paths` as they are, cut short at several places, with other forms in abbreviations and
// in headers of .debug_line, and with compressed sections that promise gigabytes; a program whose
// symbols take a demangler minutes and gigabytes.
NamedBytes hostile_programs(const std::vector<std::string>& paths);

// What a conversion takes of a program, in each kind of evidence: perf.data with branch stacks and
// with PC samples; traces; stacks by address and by line. Branches lead from the end of each
// function to the start of the next. Empty when it is no ELF file.
NamedBytes recordings_of(const ByteVector& program);

void write_file(const std::string& path, const ByteVector& bytes);

}  // namespace pgo::test
