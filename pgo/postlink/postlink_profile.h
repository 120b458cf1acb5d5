// The profile of an optimization: from whatever has addresses to what llvm-bolt reads.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bolt/perf2bolt.h"
#include "converters/perf_data/perf_data_reader.h"
#include "pgo/base/progress.h"
#include "pgo/base/result.h"
#include "pgo/elf/bolt/translated_counts.h"
#include "pgo/elf/elf_image.h"
#include "pgo/ingest/pc_samples.h"
#include "pgo/profile/address_profile.h"
#include "pgo/profile/bolt_evidence.h"
#include "pgo/profile/quality.h"
#include "pgo/source/input_bytes.h"
#include "pgo/source/input_files.h"

namespace pgo {

enum class PostlinkProfileKind { kRecordings, kFdata, kYaml };

// What the inputs are, told apart by contents. Recordings and pre-aggregated traces may be
// many, and mixed: they add up. Of fdata and BOLT's YAML there is one, complete.
struct PostlinkProfileFiles {
  PostlinkProfileKind kind = PostlinkProfileKind::kRecordings;
  std::vector<InputFile> inputs;
  std::optional<InputBytes> file;  // of kFdata and kYaml
};

// Errors: kUsage for profiles that llvm-bolt cannot use, with the reason and what to do instead;
// kIo for files that cannot be read.
Result<PostlinkProfileFiles> find_postlink_profile(std::vector<InputFile> inputs);

struct PostlinkProfileOptions {
  std::string binary;    // the path of the binary that is optimized
  std::string recorded;  // of the one that was recorded, when llvm-bolt made it from `binary`
  Result<Perf2bolt> perf2bolt;  // searched once; recordings need it
  perf_data::ReadOptions read;  // of recordings: which samples count, and on how many threads
  ToolLimits limits;
  ProgressFn progress;
};

// Ready for llvm-bolt.
struct PostlinkProfile {
  std::string contents;  // fdata or YAML
  PostlinkProfileKind kind = PostlinkProfileKind::kRecordings;
  Evidence evidence = Evidence::kUnknown;
  Quality quality = Quality::kUnknown;       // of inferred counts; of others it is not measured
  std::string report = {};                   // the file that says so, of kFdata; empty: none
  std::optional<AddressProfile> counted;     // of recordings, without counts: what became of them
  std::optional<Inference> inference;        // what branches of recordings were inferred from
  std::optional<Perf2boltOutput> converted;  // of recordings, without fdata: what perf2bolt printed
  std::optional<MovedBinary> moved;          // of recordings of what llvm-bolt made of it
  BuildIdentity identity = BuildIdentity::kAssumed;  // of the binary that was recorded

  bool is_inferred() const { return pgo::is_inferred(evidence); }
};

// Errors: kMismatch when it is of another build than options.binary; kEmpty when nothing in it is
// about that; kUsage when options.read chooses from samples that fdata and YAML do not have; what
// reading and perf2bolt give.
Result<PostlinkProfile> make_postlink_profile(const PostlinkProfileFiles& files,
                                              const PostlinkProfileOptions& options);

}  // namespace pgo
