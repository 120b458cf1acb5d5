// CodePlaces: where the addresses of a recording lie, the same for the same code in whatever
// process: in a file, at an offset. It is also the way back, to addresses of one process that never
// was, in which each file is mapped once (CodePiece).
//
// A file is what has one path and one build ID. Processes map it at different addresses, some in
// pieces (huge pages, llvm-bolt's second text segment), and a process that was seen late shows what
// is left of it. So the pieces of a file are the union of what processes mapped of it: mappings
// that overlap or touch in the file are one piece. Where one process has mapped all of its code,
// the pieces are the same in every recording, which is how StackMerger knows them. A piece is at
// the lowest address at which a process had it, as StackMerger has it, too. The order of processes
// does not matter.
//
// Memory without a file (JIT code) has no offsets: there an address is its own place, and the code
// of two processes at one address cannot be told apart.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "converters/perf_data/address_space.h"
#include "converters/perf_data/recording.h"

namespace pgo::perf_data {

struct CodePlace {
  static constexpr uint32_t kNowhere = ~uint32_t{0};

  uint32_t file = kNowhere;  // index into CodePlaces::files()
  uint64_t at = 0;  // the offset in the file; the address in no mapping, or where there is no file
  bool operator==(const CodePlace&) const = default;
};

struct CodeFile {
  std::string path;  // as recorded
  BuildId id;
  // What it is: kOtherBinary a file, kKernel the kernel or a module, kVdso, kAnonymous memory.
  Dropped kind = Dropped::kOtherBinary;
  bool executable = true;   // as it was mapped; what was mapped both ways is two files here
  bool is_program = false;  // the first file that some process mapped: not a library
};

struct CodePiece {
  uint32_t file = 0;
  FileOffset begin_offset, end_offset;  // half-open; addresses, where there is no file
  RuntimeAddr begin;                    // never 0

  // The address of `place`, which is in this piece.
  RuntimeAddr address(const CodePlace& place) const {
    return begin + (place.at - begin_offset.value);
  }
};

class CodePlaces {
 public:
  // O(n log n) for n process events.
  explicit CodePlaces(const Recording& recording) : CodePlaces(recording, RecordedMappings()) {}

  // The mappings of a process at a time; kKernelPid: those of the kernel.
  MapTree::Root state(uint32_t pid, Moment moment) const { return spaces_.state(pid, moment); }
  // Where `address` lies in a process whose mappings are `root`. O(log mappings).
  CodePlace find(MapTree::Root root, RuntimeAddr address) const;

  const std::vector<CodeFile>& files() const { return files_; }
  // By file, and by offset in each.
  const std::vector<CodePiece>& pieces() const { return pieces_; }
  // The index of the piece that a place is in; nothing for kNowhere. O(log pieces).
  std::optional<size_t> piece_of(const CodePlace& place) const;

 private:
  // Of one mapping: an address less `shift` is an offset in `file`.
  struct Load {
    uint32_t file = 0;
    uint64_t shift = 0;
  };
  struct Extent;

  CodePlaces(const Recording& recording, RecordedMappings mappings);
  void put_pieces(std::vector<Extent> extents);

  std::vector<CodeFile> files_;
  std::vector<Load> loads_;             // by MapPiece::binary
  std::vector<uint32_t> memory_files_;  // by MapPiece::file
  std::vector<CodePiece> pieces_;
  AddressSpaces spaces_;
};

}  // namespace pgo::perf_data
