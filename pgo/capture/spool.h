// Spool: a directory of profiles that wait until the store has them. It outlives this program.
//
//   PGO_TRY(Spool spool, Spool::open("/var/lib/prodpgo/queryd", {.max_bytes = 1 << 30}));
//   PGO_CHECK(spool.begin_recording());
//   ... a recording is made in spool.work_directory() ...
//   PGO_CHECK(spool.add(profile)); PGO_CHECK(spool.end_recording(RecordingEnd::kKept));
//   for (const SpooledProfile& next : spool.profiles()) ...; PGO_CHECK(spool.settle(next.name,
//   Settled::kStored));
//
// Below the directory: NAME.addr (or NAME.perf.data), a profile, whose time of change is that of
// its recording, and NAME.labels, its labels and its destination; `recording`, a directory for the
// one under way; status.json, the counts, which others may read. Names ascend in the order in which
// profiles were made. A profile is sent only to the destination that it was made for.
//
// The one hard idea: the counts are right after a crash at any point, and when status.json cannot
// be written. A profile is settled in three steps: its file is renamed to NAME.stored (the store
// has it) or NAME.dropped; status.json gets the new count, and NAME; the file is removed. After a
// crash, a file with such a name is counted, unless status.json has its NAME. A profile that is
// there and not counted yet is younger than `last_made` of status.json.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "pgo/base/labels.h"
#include "pgo/base/result.h"
#include "pgo/base/unique_fd.h"
#include "pgo/capture/capture_counts.h"

namespace pgo {

struct SpoolOptions {
  uint64_t max_bytes = uint64_t{1} << 30;  // of the profiles
  std::string destination = {};            // of the profiles of this run
};

struct NewProfile {
  std::string_view contents;
  std::string extension;  // ".addr"
  Labels labels;
  int64_t time = 0;  // when its recording began, in nanoseconds since 1970
};

struct SpooledProfile {
  std::string name;  // of the file in the spool
  uint64_t size = 0;
  std::string destination = {};
};

enum class RecordingEnd : uint8_t { kKept, kWithoutSamples, kFailed, kInterrupted };
enum class Settled : uint8_t { kStored, kDropped };
enum class SkippedTurn : uint8_t { kPaused, kWithoutProcess, kOverBudget };

class Spool {
 public:
  // Makes the directory, whose profiles only their user can read, and counts a recording that an
  // earlier run did not finish as interrupted. Errors: kUsage when another process has the spool;
  // kInput for a damaged status.json; kIo.
  static Result<Spool> open(const std::string& directory, const SpoolOptions& options);

  const CaptureCounts& counts() const { return counts_; }
  // Did open() find a recording that an earlier run did not finish, and that gave no profile?
  bool lost_recording() const { return lost_recording_; }
  // The oldest first.
  const std::vector<SpooledProfile>& profiles() const { return profiles_; }
  // Those for the destination of this run, the oldest first; and how many there are for others.
  std::vector<SpooledProfile> own_profiles() const;
  std::map<std::string, uint64_t> other_destinations() const;
  uint64_t bytes() const { return bytes_; }
  std::string path_of(const std::string& name) const { return directory_ + "/" + name; }
  const std::string& directory() const { return directory_; }
  // There while a recording is under way.
  std::string work_directory() const { return directory_ + "/recording"; }
  // Error: kInput when they are damaged.
  Result<Labels> labels_of(const std::string& name) const;

  // Errors of all these: kIo.
  Result<void> begin_recording();
  // Of the recording under way. The oldest profiles are dropped when there are too many bytes, at
  // last this one. Returns how many were dropped.
  Result<uint64_t> add(const NewProfile& profile);
  Result<void> end_recording(RecordingEnd end);
  // The profile is removed. Where the counts cannot be written, it only becomes empty, which makes
  // room on a full disk; until they are written, no other one is settled.
  Result<void> settle(const std::string& name, Settled as);
  Result<void> skip_turn(SkippedTurn why);
  // For status.json: when the destination last took a profile (written with the next change), and
  // what last went wrong.
  void note_success(int64_t time) { last_success_ = time; }
  Result<void> note_error(int64_t time, const std::string& text);

 private:
  Spool(std::string directory, const SpoolOptions& options, std::unique_ptr<UniqueFd> lock)
      : directory_(std::move(directory)), options_(options), lock_(std::move(lock)) {}

  struct Notes {
    std::string destination;
    Labels labels;
  };
  struct SettledProfile {
    std::string name;
    Settled as;
  };
  struct LastError {
    int64_t time = 0;  // 0: none
    std::string text;
  };

  Result<Notes> notes_of(const std::string& name) const;
  Result<void> read_status();
  // Returns those that were settled and are still there.
  Result<std::vector<SettledProfile>> read_profiles();
  Result<void> recover(const std::vector<SettledProfile>& settled);
  void count(Settled as);
  Result<void> finish_settling();
  Result<void> remove_leftovers() const;
  Result<void> write_status() const;
  Result<void> clear_work_directory() const;

  std::string directory_;
  SpoolOptions options_;
  std::unique_ptr<UniqueFd> lock_;
  CaptureCounts counts_;
  bool lost_recording_ = false;
  std::vector<SpooledProfile> profiles_;
  uint64_t bytes_ = 0;
  uint64_t last_number_ = 0;  // of a recording, also of those that status.json does not count
  // The rest of status.json.
  int64_t last_success_ = 0;  // 0: never
  LastError last_error_;
  uint64_t under_way_ = 0;  // the number of the recording; 0: none
  size_t added_ = 0;        // profiles of it
  std::string last_made_;   // the youngest profile that `made` counts
  std::string settled_;     // the last profile that was counted as stored or dropped
  // Of `settled_`, while status.json does not count it; then empty.
  std::string settled_path_;
};

}  // namespace pgo
