#include "pgo/lock_diff/lock_diff.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "pgo/profile/thresholds.h"
#include "pgo/source/blob_cache.h"
#include "pgo/versions/locked_reference.h"
#include "pgo/versions/locked_signature.h"
#include "pgo/versions/pull.h"

namespace pgo {
namespace {

// The files of each key that were not paired yet, the first one last.
using Unpaired = std::map<std::string, std::vector<size_t>>;

std::string kind_key(const ProfileFile& file) {
  return std::string(file_kind_name(file.kind)) + "\n" + file.configuration + "\n" + file.library;
}

std::string name_key(const ProfileFile& file) { return kind_key(file) + "\n" + file.name; }

template <typename Key>
Unpaired unpaired_by(Key key, const std::vector<ProfileFile>& files,
                     const std::vector<bool>& is_paired) {
  Unpaired unpaired;
  for (size_t i = files.size(); i-- > 0;)
    if (!is_paired[i]) unpaired[key(files[i])].push_back(i);
  return unpaired;
}

// Gives each pair without a second file the first unpaired one of its key.
template <typename Key>
void complete_pairs(Key key, std::vector<FileChange>& pairs, const std::vector<ProfileFile>& after,
                    std::vector<bool>& is_paired) {
  Unpaired unpaired = unpaired_by(key, after, is_paired);
  for (FileChange& pair : pairs) {
    if (pair.after || !pair.before) continue;
    const auto found = unpaired.find(key(*pair.before));
    if (found == unpaired.end() || found->second.empty()) continue;
    const size_t i = found->second.back();
    found->second.pop_back();
    pair.after = after[i];
    is_paired[i] = true;
  }
}

// Files of one name are the same file; of the others the first of the same kind, configuration and
// library.
// O(files * log files).
std::vector<FileChange> pair_files(const std::vector<ProfileFile>& before,
                                   const std::vector<ProfileFile>& after) {
  std::vector<FileChange> pairs;
  std::vector<bool> is_paired(after.size());
  for (const ProfileFile& file : before) pairs.push_back({.before = file});
  complete_pairs(name_key, pairs, after, is_paired);
  complete_pairs(kind_key, pairs, after, is_paired);
  for (size_t i = 0; i < after.size(); i++)
    if (!is_paired[i]) pairs.push_back({.after = after[i]});
  auto order = [](const FileChange& pair) {
    const ProfileFile& file = pair.either();
    return std::tie(file.kind, file.configuration, file.library, file.name);
  };
  std::stable_sort(pairs.begin(), pairs.end(),
                   [&](const FileChange& a, const FileChange& b) { return order(a) < order(b); });
  return pairs;
}

LockChange change_of(const LockEntry& before, const LockEntry& after,
                     const std::vector<FileChange>& files) {
  const bool same_files = std::all_of(files.begin(), files.end(),
                                      [](const FileChange& file) { return file.is_same(); });
  if (!same_files) return LockChange::kRepinned;
  return before.manifest == after.manifest ? LockChange::kSameVersion : LockChange::kSameFiles;
}

// Nothing when an entry is as it was.
std::optional<ProfileChange> find_change(const std::string& name, const LockEntry* before,
                                         const LockEntry* after) {
  ProfileChange change{.name = name};
  if (before != nullptr) change.before = *before;
  if (after != nullptr) change.after = *after;
  if (change.before == change.after) return std::nullopt;
  change.files = pair_files(before != nullptr ? before->files : std::vector<ProfileFile>(),
                            after != nullptr ? after->files : std::vector<ProfileFile>());
  change.change = before == nullptr  ? LockChange::kAdded
                  : after == nullptr ? LockChange::kRemoved
                                     : change_of(*before, *after, change.files);
  return change;
}

// A compile profile of both sides.
struct ComparedFiles {
  const ProfileFile &before, &after;
};

// Nothing where there is nothing to compare.
std::optional<ComparedFiles> compared_files(const FileChange& file) {
  if (!file.before || !file.after || file.is_same()) return std::nullopt;
  if (file.before->kind != FileKind::kLlvm && file.before->kind != FileKind::kGcc)
    return std::nullopt;
  return ComparedFiles{*file.before, *file.after};
}

// The profiles of both sides, from the cache.
class Comparer {
 public:
  Comparer(const LockDiffRequest& request, Diagnostics& diagnostics)
      : request_(request), diagnostics_(diagnostics) {}

  // Fetches what the cache does not have of both sides.
  void pull_missing(const ProfileChange& change) {
    std::set<std::string> before, after;
    for (const FileChange& file : change.files) {
      const std::optional<ComparedFiles> files = compared_files(file);
      if (!files) continue;
      if (!find(files->before)) before.insert(files->before.digest);
      if (!find(files->after)) after.insert(files->after.digest);
    }
    if (change.before && !before.empty())
      fetch(request_.before, *change.before, change.name, before);
    if (change.after && !after.empty()) fetch(request_.after, *change.after, change.name, after);
  }

  void compare(FileChange& file) {
    const std::optional<ComparedFiles> files = compared_files(file);
    if (!files) return;
    const std::optional<std::string> before = find(files->before), after = find(files->after);
    if (!before || !after) {
      file.is_missing = true;
      return;
    }
    Result<ProfileComparison> compared = compare_files(*files, *before, *after);
    if (compared)
      file.comparison = *std::move(compared);
    else
      file.not_compared = compared.error().message;
  }

 private:
  const BlobCache* cache() {
    if (!was_opened_) {
      was_opened_ = true;
      Result<BlobCache> opened = BlobCache::open(request_.cache);
      if (opened)
        cache_.emplace(*std::move(opened));
      else
        diagnostics_.warn("unreadable-cache", opened.error().message);
    }
    return cache_ ? &*cache_ : nullptr;
  }

  // The path in the cache.
  std::optional<std::string> find(const ProfileFile& file) {
    if (cache() == nullptr) return std::nullopt;
    const std::optional<Blob> blob = cache()->find_digest(file.digest, file.size);
    return blob ? std::optional(blob->path) : std::nullopt;
  }

  // The files of a version that have these digests. What failed once is not tried again.
  void fetch(const LockSide& side, const LockEntry& entry, const std::string& name,
             const std::set<std::string>& digests) {
    if (cache() == nullptr) return;
    const std::string version =
        side.path + "\n" + entry.reference + "\n" + entry.manifest + "\n" + entry.signed_by;
    if (failed_.contains(version)) return;
    const Result<PullResult> pulled = pull_files(side, entry, name, digests);
    if (pulled) return;
    failed_.insert(version);
    diagnostics_.warn("not-pulled", "cannot pull: " + pulled.error().message);
  }

  // With the signature that the entry requires, as `pgo pull --locked` would.
  Result<PullResult> pull_files(const LockSide& side, const LockEntry& entry,
                                const std::string& name,
                                const std::set<std::string>& digests) const {
    PullRequest request;
    request.open = request_.open;
    request.cache = request_.cache;
    PGO_TRY(request.from, locked_reference(entry, side.path));
    if (!entry.signed_by.empty()) {
      PGO_TRY(request.verify, locked_signer(entry, side.path, name));
    }
    request.choose = [&](std::vector<ProfileFile> files) -> Result<std::vector<ProfileFile>> {
      std::erase_if(files, [&](const ProfileFile& file) { return !digests.contains(file.digest); });
      return files;
    };
    return pull(request);
  }

  static Result<CountedProfile> read(const ProfileFile& file, const std::string& path) {
    return read_counted(path, file.kind, file.name);
  }

  Result<ProfileComparison> compare_files(const ComparedFiles& files,
                                          const std::string& before_path,
                                          const std::string& after_path) const {
    PGO_TRY(const CountedProfile before, read(files.before, before_path));
    PGO_TRY(const CountedProfile after, read(files.after, after_path));
    if (before.basis != after.basis)
      return fail(ErrorKind::kMismatch, "one of the profiles counts by " +
                                            std::string(position_basis_words(before.basis)) +
                                            ", the other by " +
                                            std::string(position_basis_words(after.basis)));
    return compare_profiles(before, after, request_.top);
  }

  const LockDiffRequest& request_;
  Diagnostics& diagnostics_;
  bool was_opened_ = false;
  std::optional<BlobCache> cache_;
  std::set<std::string> failed_;  // versions that could not be pulled, each with where it is
};

}  // namespace

const ProfileFile& FileChange::either() const {
  if (after) return *after;
  assert(before);
  return *before;
}

ExpectedEffect FileChange::effect() const {
  if (is_same()) return ExpectedEffect::kNone;
  if (!comparison) return ExpectedEffect::kUnknown;
  for (const auto* file : {&before, &after}) {
    const std::optional<double> halves = *file ? (*file)->split_half_overlap : std::nullopt;
    if (halves && comparison->overlap >= *halves) return ExpectedEffect::kByChance;
  }
  return comparison->overlap >= thresholds::kSmallEffectOverlap  ? ExpectedEffect::kSmall
         : comparison->overlap >= thresholds::kPartEffectOverlap ? ExpectedEffect::kPart
                                                                 : ExpectedEffect::kMost;
}

bool LockDiffResult::is_missing_profiles() const {
  return std::any_of(changes.begin(), changes.end(), [](const ProfileChange& change) {
    return std::any_of(change.files.begin(), change.files.end(),
                       [](const FileChange& file) { return file.is_missing; });
  });
}

LockDiffResult diff_locks(const LockDiffRequest& request) {
  LockDiffResult result;
  result.before = request.before.name;
  result.after = request.after.name;
  result.was_pulled = request.wants_pull;
  const auto& before = request.before.lock.profiles;
  const auto& after = request.after.lock.profiles;
  std::set<std::string> names;
  for (const auto* profiles : {&before, &after})
    for (const auto& [name, entry] : *profiles) names.insert(name);
  auto entry_of = [](const auto& profiles, const std::string& name) {
    const auto found = profiles.find(name);
    return found == profiles.end() ? nullptr : &found->second;
  };
  Comparer comparer(request, result.diagnostics);
  for (const std::string& name : names) {
    std::optional<ProfileChange> change =
        find_change(name, entry_of(before, name), entry_of(after, name));
    result.unchanged += change ? 0 : 1;
    if (!change) continue;
    if (request.wants_pull) comparer.pull_missing(*change);
    result.changes.push_back(*std::move(change));
  }
  for (ProfileChange& change : result.changes)
    for (FileChange& file : change.files) comparer.compare(file);
  return result;
}

}  // namespace pgo
