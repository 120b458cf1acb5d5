// AddressSpaces: which code stood at an address of a process at a time. Built once from a
// recording's process events; afterwards samples are resolved in any order and on any thread.
// With MapTree inside, this is the door from RuntimeAddr to ElfAddr.
//
// Fork copies the parent's mappings, exec empties them, a later mapping replaces what it covers,
// with one exception: anonymous memory that touches a binary's code changes nothing, because that
// is how programs move their text to huge pages.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "converters/perf_data/map_tree.h"
#include "converters/perf_data/recording.h"
#include "pgo/elf/elf_image.h"

namespace pgo::perf_data {

// How the images of a recording were told to be binaries that were asked for.
struct BinaryMatch {
  bool by_build_id = false;
  bool by_name = false;  // the recording or the binary had no build ID
};

// A file that was mapped while something was recorded.
struct RecordedFile {
  std::string path;  // as recorded
  BuildId id;
};

// perf writes the mappings of the kernel and its modules as those of this process.
inline constexpr uint32_t kKernelPid = ~uint32_t{0};

// What was mapped while something was recorded, without any ELF file.
struct RecordedMappings {
  // Each mapping of a file, of the kernel or of what it gives to processes ([vdso]).
  std::vector<const ProcessEvent*> files;
  std::vector<std::string> memory;  // names of memory without a file ("//anon"), each once
};

class AddressSpaces {
 public:
  // Replays `recording`. binaries[i] becomes MapPiece::binary i.
  AddressSpaces(const Recording& recording, const std::vector<const ElfImage*>& binaries);

  // Without any ELF file: each recorded file is a binary of its own. MapPiece::binary i is
  // files[i], and MapPiece::elf_begin means nothing.
  static AddressSpaces of_recorded_files(const Recording& recording,
                                         std::vector<RecordedFile>& files);

  // The same, but each mapping is a binary of its own, the kernel's (of kKernelPid) among them:
  // MapPiece::binary i is mappings.files[i]. Memory without a file is none; MapPiece::file i is
  // mappings.memory[i], of absurdly many names the first.
  static AddressSpaces of_mappings(const Recording& recording, RecordedMappings& mappings);

  // As llvm-profgen sees a recording (llvm_profgen.cc): one load address for the binary at a time,
  // whatever the process. `pids` narrows the processes (empty: all). An error where llvm-profgen
  // would stop with one.
  static Result<AddressSpaces> as_llvm_profgen(const Recording& recording, const ElfImage& binary,
                                               const std::vector<uint32_t>& pids);

  // The state of a process, or of nothing at all before its first event. O(log events).
  MapTree::Root state(uint32_t pid, Moment moment) const;
  const MapTree& maps() const { return maps_; }

  const std::vector<BinaryMatch>& matches() const { return matches_; }
  // The files that no binary is, by MapPiece::file; of absurdly many the first.
  const std::vector<RecordedFile>& other_files() const { return other_files_; }
  // Recorded files that could be any of several binaries.
  const Diagnostics& diagnostics() const { return diagnostics_; }
  // The processes that as_llvm_profgen() counts.
  const std::unordered_set<uint32_t>& counted_pids() const { return counted_pids_; }

 private:
  struct Version {
    Moment moment;
    MapTree::Root root;
  };

  AddressSpaces() = default;
  // Calls map(event) for each mapping, and follows forks and execs.
  template <typename Map>
  void replay(const Recording& recording, const Map& map);
  void map(const ProcessEvent& event, const Recording& recording,
           const std::vector<const ElfImage*>& binaries);
  void map_binary(const ProcessEvent& event, const ElfImage& image, uint32_t index);
  // `piece` where the event says, whole; its own begin and end do not matter.
  void map_piece(const ProcessEvent& event, MapPiece piece);
  MapPiece identify(const ProcessEvent& event, const Recording& recording,
                    const std::vector<const ElfImage*>& binaries);
  MapTree::Root current(uint32_t pid) const;
  void become(uint32_t pid, Moment moment, MapTree::Root root);

  MapTree maps_;
  std::unordered_map<uint32_t, std::vector<Version>> versions_;  // by pid, in time order
  std::vector<Version> shared_versions_;                         // as_llvm_profgen()'s, for all
  std::unordered_set<uint32_t> counted_pids_;
  std::vector<BinaryMatch> matches_;
  std::vector<RecordedFile> other_files_;
  Diagnostics diagnostics_;
  // identify() by recorded path and build ID: names repeat in every process.
  std::unordered_map<std::string, MapPiece> identified_;
};

}  // namespace pgo::perf_data
