// Names for the addresses of a StackProfile: functions, the functions inlined into them, files and
// lines, out of the binaries that ran. For profiles of agents that knew no debug information, and
// for perf.data, which has no names at all.
//
//   StackNaming naming = name_stacks(profile, binaries, {.name = "perf.data"});
//   profile.lines[0]                  // the innermost inlined function first
//   naming.files[0].weight.unnamed    // of samples in a file that no binary of the set is
//
// What is named. A location is in a binary when its mapping has the binary's build ID (or, where
// one of them has no build ID, its file name, with a warning). A name out of debug information is
// better than one out of a symbol table, which knows nothing of inlined functions, and that is
// better than none. So a location that has a function already keeps its lines where its mapping
// says that these show inlined functions (has_inline_frames), and where only a symbol would take
// their place; all others get new ones.
//
// Where a frame is. The first address of a stack is that of the sample. The others are return
// addresses, behind the call, perhaps in another line or even function: what is looked up is the
// byte before. It is in the call as well where the producer has taken 1 off already. Looked up as
// they are: an address right below kernel code, where the process was interrupted; and one that is
// behind no call, as where a signal came, or of a call itself, which some producers store instead.
// A location that is both, a sample's own and a return address, becomes two when the names differ.
//
// Names. StackFunction::name is demangled; system_name is the linkage name; filename and start_line
// are those of the declaration. The line of an outer frame is that of the call. Code that no debug
// information describes has the name of its symbol, mostly without a line. Kernel code, which no
// input brings symbols of, is "[kernel]".
//
// A BOLTed binary has debug information of its own (-update-debug-sections), or is named through
// its address translation table (-enable-bat) by llvm-bolt's input, if that is in the set, or by
// symbol.
//
// Not done: code that was generated at run time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pgo/base/diagnostics.h"
#include "pgo/binary/binary_set.h"
#include "pgo/profile/stack_profile.h"

namespace pgo {

struct StackNameOptions {
  std::string name;  // of the profile, for messages
  // The number of the sample type to weigh by; nothing: shown_type().
  std::optional<size_t> sample_type = {};
  unsigned jobs = 0;  // threads; 0: all cores
};

// Weight of samples, by what is known of the place where they were taken (their leaf).
struct NamedWeight {
  uint64_t by_debug_info = 0;
  uint64_t by_symbol = 0;
  uint64_t by_profile = 0;  // the profile had the name already
  uint64_t unnamed = 0;

  uint64_t total() const;
};

struct StackNaming {
  // A file of the profile, as its mappings name it.
  struct File {
    std::string path;  // empty: in no mapping
    std::string build_id;
    std::optional<size_t> binary;  // which of the set it is
    NamedWeight weight;
  };

  std::vector<File> files;  // with samples; most weight first, then by path and build ID
  NamedWeight weight;       // of all of them
  uint64_t addresses = 0;   // different ones that were looked up
  Diagnostics diagnostics;
};

// `profile` is normalized afterwards. Mappings without a build ID get the assumed ones
// (BinarySet::assume()). Each address is looked up once, in one pass over the debug information of
// its binary, on all threads; memory is that of the compile units that the threads read at a time,
// and of the names. Debug information that is damaged is a warning, and symbols take its place.
StackNaming name_stacks(StackProfile& profile, const BinarySet& binaries,
                        const StackNameOptions& options);

}  // namespace pgo
