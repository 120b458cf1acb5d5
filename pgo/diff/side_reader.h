// SideReader: reads the profiles of a side: of one sample type, with names for their addresses and
// with the labels of their files.
//
//   PGO_TRY(std::vector<SideFile> files, find_side_files(arguments));
//   PGO_TRY(SideReader reader, SideReader::open(options));
//   PGO_CHECK(reader.read(files, "reading", diagnostics, [&](const SideFile& file, SideProfile&
//   its) {
//     table.add(its.profile(), its.weight, 0, add_members(table, 0, file, its, members));
//     return ok();
//   }));
//   reader.warn(diagnostics);
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pgo/base/diagnostics.h"
#include "pgo/base/labels.h"
#include "pgo/base/progress.h"
#include "pgo/base/result.h"
#include "pgo/binary/binary_set.h"
#include "pgo/diff/compared_type.h"
#include "pgo/diff/label_choice.h"
#include "pgo/diff/row_table.h"
#include "pgo/diff/sample_weight.h"
#include "pgo/diff/side_files.h"
#include "pgo/diff/standardized_rows.h"
#include "pgo/source/duplicate_files.h"
#include "pgo/source/path_template.h"
#include "pgo/stacks/stack_source.h"

namespace pgo {

struct SideReaderOptions {
  std::string path_template;          // empty: paths have no labels
  std::string sample_type;            // empty: the default of the profiles
  std::string stratum_key = {};       // the label that divides members; empty: none does
  std::vector<std::string> binaries;  // that name addresses
  DebugPlaces debug;
  bool counts_calls = false;  // SideProfile::calls; needs `binaries`
  unsigned jobs = 0;          // threads; 0: all cores
  ProgressFn progress;
};

// The profile of one file. Only samples that count are left in it.
struct SideProfile {
  StackSource source;
  SampleWeight weight;
  std::vector<std::optional<MemberLabels>> labels;  // of each set of labels
  uint64_t negative_samples = 0;                    // that were left out
  // Of its branch stacks, which source.branches tells more of. Both are of all samples of the file,
  // so they are empty where conditions on labels take a part of these.
  StackProfile calls;

  StackProfile& profile() { return source.profile; }
  const StackProfile& profile() const { return source.profile; }
};

class SideReader {
 public:
  using AddFn = std::function<Result<void>(const SideFile& file, SideProfile& profile)>;

  // Errors: kUsage for what is no template; those of BinarySet::open().
  static Result<SideReader> open(const SideReaderOptions& options);

  // Null: there are none.
  const BinarySet* binaries() const { return binaries_ ? &*binaries_ : nullptr; }
  // Their functions that the linker folded into one.
  FoldedNames folded() const;

  // Reads files side by side, and passes them to `add` in their order. `step` is for progress.
  // Files of directories that are no profiles are left out with a warning. Errors: those of the
  // first file, by path, that cannot be read; kMismatch for files that count different things;
  // kUnsupported for recordings of branch events, which count branches and not cost, and for
  // differences of profiles; those of `add`.
  Result<void> read(const std::vector<SideFile>& files, const std::string& step,
                    Diagnostics& diagnostics, const AddFn& add);

  // Of all files that were read.
  const ComparedType& type() const { return type_; }
  // Of different events, and of samples with negative values.
  void warn(Diagnostics& diagnostics) const;

 private:
  // Files with negative samples, which were left out.
  struct NegativeFiles {
    uint64_t files = 0, samples = 0;
    std::string first;  // path

    void add(const std::string& path, uint64_t its_samples);
    void warn(Diagnostics& diagnostics) const;
  };

  explicit SideReader(const SideReaderOptions& options) : options_(options) {}

  Result<SideProfile> read_file(const SideFile& file, unsigned jobs,
                                DuplicateFiles& duplicates) const;
  // Of its path; else of its bundle.
  Labels labels_of(const SideFile& file, Diagnostics& diagnostics) const;
  // Gives samples the labels of their file, which count more than their own, and then those of the
  // recorded machine.
  void label_samples(const SideFile& file, StackSource& source) const;
  Result<void> add_names(const SideFile& file, unsigned jobs, SideProfile& read) const;
  Result<void> accept(const SideFile& file, SideProfile& profile, Diagnostics& diagnostics);

  SideReaderOptions options_;
  std::optional<PathTemplate> template_;
  std::optional<BinarySet> binaries_;
  ComparedType type_;
  NegativeFiles negative_;
};

// The members of a side. One that a label divides is several; its `whole` has one name.
struct SideMembers {
  std::vector<std::string> names;  // of wholes: path, and host where one file has several
  SideStrata strata;               // of each member
};

// Adds the members of a file to `table` and to `into`: one for each host, hour and stratum of its
// samples, otherwise the file. Returns the member of each set of labels.
std::vector<uint32_t> add_members(RowTable& table, size_t side, const SideFile& file,
                                  const SideProfile& profile, SideMembers& into);

// Fails if the members have no weight. `whose` is for messages: "the before side".
Result<void> check_has_samples(const std::vector<verify::Member>& members, const std::string& whose,
                               const std::vector<SideFile>& files, const Diagnostics& diagnostics);

}  // namespace pgo
