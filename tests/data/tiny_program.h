// TinyProgram: an ELF file small enough to know by heart, with its code map, for tests of what
// happens between a recording and its counts. Its text is 64 instructions of four bytes:
//
//   1200  ...                 1210  call       1220  jump (direct)   1230  return
//   1240 to 12ec  as from 1200, over and over: a call at 1250, 1290 and 12d0, and so on
//   12f0 to 12ff  in the segment, but no instructions: as a PLT is
//
// The segment stands at offset 0x200 of the file and at 0x1200 in memory, so offset and address
// differ as lld makes them differ. A process that maps the first page of the file at M has the code
// at M + 0x200: at(M, 0x1200) says so.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "converters/perf_data/perf_data_reader.h"
#include "pgo/elf/elf_image.h"
#include "pgo/profile/code_map.h"
#include "tests/data/perf_data_builder.h"

namespace pgo::test {

class TinyProgram {
 public:
  static constexpr uint64_t kBegin = 0x1200, kPlt = 0x12f0, kEnd = 0x1300;

  // `build_id` is hexadecimal; empty: the file has none.
  explicit TinyProgram(const std::string& path = "/bin/tiny",
                       const std::string& build_id = "0102030405060708090a0b0c0d0e0f1011121314");

  const ElfImage& image() const { return *image_; }
  const CodeMap& code() const { return *code_; }
  TargetBinary target() const { return {image_.get(), code_.get()}; }

  // The mapping of the text at `begin` in process `pid`, with the build ID.
  Mmap2 map(uint32_t pid, uint64_t begin, uint64_t time = 0) const;

 private:
  std::vector<uint8_t> bytes_;
  std::unique_ptr<ElfImage> image_;
  std::unique_ptr<CodeMap> code_;
  std::string build_id_;
};

// The runtime address of ElfAddr `elf` where the program's text is mapped at `map`.
constexpr uint64_t at(uint64_t map, uint64_t elf) { return map + elf - 0x1000; }

// An event with what `perf record -b` asks for: IP, TID, TIME, PERIOD, BRANCH_STACK, IDENTIFIER.
Event branch_event();

// What read_samples() makes of a recording: the dump of its profile, or "error: " and the message.
// A broken invariant of the profile comes instead of the dump.
std::string read_dump(const ByteVector& recording, const std::vector<const TinyProgram*>& programs,
                      const perf_data::ReadOptions& options = {});
// The same without the lines of events and binaries: traces, ips and accounting only.
std::string read_counts(const ByteVector& recording,
                        const std::vector<const TinyProgram*>& programs,
                        const perf_data::ReadOptions& options = {});

}  // namespace pgo::test
