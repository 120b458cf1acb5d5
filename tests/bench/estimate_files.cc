#include "tests/bench/estimate_files.h"

#include "converters/pprof/pprof_reader.h"
#include "converters/preaggregated/preaggregated.h"
#include "pgo/base/atomic_file.h"
#include "pgo/base/inflate.h"
#include "pgo/base/mapped_file.h"
#include "pgo/elf/stack_samples.h"

namespace pgo::infer {

Result<AddressProfile> read_samples(const ElfImage& image, const char* path) {
  PGO_TRY(MappedFile file, MappedFile::open(path));
  PGO_TRY(InflatedBytes inflated, inflate(file.bytes(), path));
  Diagnostics diagnostics;
  PGO_TRY(StackProfile stacks, parse_pprof(inflated.bytes(), path, diagnostics));
  PGO_TRY(StackCounts counts, count_stack_samples(stacks, {&image}, "", path));
  counts.profile.normalize();
  return std::move(counts.profile);
}

Result<void> write_traces(const InferredCounts& counts, const std::string& path) {
  PGO_TRY(std::string text, write_preaggregated(counts.to_traces()));
  return write_file_atomically(path, text);
}

}  // namespace pgo::infer
