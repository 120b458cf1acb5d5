// The --profile of `pgo bolt`: from whatever has addresses to what llvm-bolt reads.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bolt/perf2bolt.h"
#include "pgo/base/mapped_file.h"
#include "pgo/base/result.h"
#include "pgo/cli/plain_samples.h"
#include "pgo/elf/elf_image.h"
#include "pgo/profile/address_profile.h"

namespace pgo {

// What --profile names, told apart by contents. Recordings and pre-aggregated traces may be many,
// and mixed: they add up. Of fdata and BOLT's YAML there is one, complete.
struct BoltProfileFiles {
  enum class Kind { kRecordings, kFdata, kYaml };

  Kind kind = Kind::kRecordings;
  std::vector<std::string> arguments;  // as given
  std::optional<MappedFile> file;      // of kFdata and kYaml
};

// Errors: kUsage for profiles that llvm-bolt cannot use, with the reason and what to do instead;
// kIo for files that cannot be read.
Result<BoltProfileFiles> find_bolt_profile(const std::vector<std::string>& arguments);

struct BoltProfileOptions {
  std::string binary;           // what is optimised
  std::string recorded;         // what was recorded, when it is not `binary`
  Result<Perf2bolt> perf2bolt;  // asked for once; recordings need it
  unsigned jobs = 0;
  BoltToolTerms terms;
};

// Ready for llvm-bolt.
struct BoltProfile {
  std::string contents;
  std::string kind;                       // "recordings", "fdata", "BOLT YAML"
  std::optional<AddressProfile> counted;  // of recordings, without counts: what became of them
  std::optional<PlainSamples> plain;      // what branches of recordings were inferred from
  std::optional<Perf2boltOutput>
      converted;  // of recordings, without the profile: perf2bolt's words
};

// Errors: kMismatch when it is of another build than options.binary; kEmpty when nothing in it is
// about that; what reading and perf2bolt give.
Result<BoltProfile> make_bolt_profile(const BoltProfileFiles& files,
                                      const BoltProfileOptions& options);

}  // namespace pgo
