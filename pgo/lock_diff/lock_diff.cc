#include "pgo/lock_diff/lock_diff.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "pgo/base/mapped_file.h"
#include "pgo/source/blob_cache.h"
#include "pgo/versions/locked_reference.h"
#include "pgo/versions/locked_signature.h"
#include "pgo/versions/pull.h"

namespace pgo {
namespace {

constexpr double kSmallOverlap = 0.9, kPartOverlap = 0.5;

bool fit(const ProfileFile& a, const ProfileFile& b) {
  return a.kind == b.kind && a.configuration == b.configuration;
}

// Files of one name are the same file; of the others the first of the same kind and configuration.
std::vector<FileChange> pair_files(const std::vector<ProfileFile>& before,
                                   const std::vector<ProfileFile>& after) {
  std::vector<FileChange> pairs;
  std::vector<bool> is_paired(after.size());
  for (const ProfileFile& file : before) pairs.push_back({.before = file});
  for (const bool by_name : {true, false})
    for (FileChange& pair : pairs)
      for (size_t i = 0; i < after.size() && !pair.after; i++) {
        if (is_paired[i] || !fit(*pair.before, after[i])) continue;
        if (by_name && pair.before->name != after[i].name) continue;
        pair.after = after[i];
        is_paired[i] = true;
      }
  for (size_t i = 0; i < after.size(); i++)
    if (!is_paired[i]) pairs.push_back({.after = after[i]});
  auto order = [](const FileChange& pair) {
    const ProfileFile& file = pair.after ? *pair.after : *pair.before;
    return std::tie(file.kind, file.configuration, file.name);
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

bool can_be_compared(const FileChange& file) {
  if (!file.before || !file.after || file.is_same()) return false;
  return file.before->kind == FileKind::kLlvm || file.before->kind == FileKind::kGcc;
}

// The profiles of both sides, from the cache.
class Comparer {
 public:
  Comparer(const LockDiffRequest& request, Diagnostics& diagnostics)
      : request_(request), diagnostics_(diagnostics) {}

  void compare(const ProfileChange& change, FileChange& file) {
    const std::optional<std::string> before =
        find(request_.before, *change.before, change.name, *file.before);
    const std::optional<std::string> after =
        find(request_.after, *change.after, change.name, *file.after);
    file.is_missing = !before || !after;
    if (file.is_missing) return;
    Result<ProfileComparison> compared = compare_files(file, *before, *after);
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
  std::optional<std::string> find(const LockSide& side, const LockEntry& entry,
                                  const std::string& name, const ProfileFile& file) {
    if (cache() == nullptr) return std::nullopt;
    std::optional<Blob> blob = cache()->find_digest(file.digest, file.size);
    if (!blob && request_.wants_pull) {
      fetch(side, entry, name);
      blob = cache()->find_digest(file.digest, file.size);
    }
    return blob ? std::optional(blob->path) : std::nullopt;
  }

  void fetch(const LockSide& side, const LockEntry& entry, const std::string& name) {
    if (!fetched_.insert(entry.manifest).second) return;
    PullRequest request;
    request.open = request_.open;
    request.cache = request_.cache;
    const Result<PullResult> pulled = pull_entry(side, entry, name, request);
    if (!pulled) diagnostics_.warn("not-pulled", "cannot pull: " + pulled.error().message);
  }

  // With the signature that the entry requires, as `pgo pull --locked` would.
  static Result<PullResult> pull_entry(const LockSide& side, const LockEntry& entry,
                                       const std::string& name, PullRequest& request) {
    PGO_TRY(request.from, locked_reference(entry, side.path));
    if (!entry.signed_by.empty()) {
      PGO_TRY(RequiredSignature required, locked_signer(entry, side.path, name));
      request.verify = required.key;
    }
    return pull(request);
  }

  static Result<CountedProfile> read(const ProfileFile& file, const std::string& path) {
    PGO_TRY(const MappedFile contents, MappedFile::open(path));
    return file.kind == FileKind::kGcc ? read_counted_gcc(contents.bytes(), file.name)
                                       : read_counted_llvm(contents.bytes(), file.name);
  }

  Result<ProfileComparison> compare_files(const FileChange& file, const std::string& before_path,
                                          const std::string& after_path) const {
    PGO_TRY(const CountedProfile before, read(*file.before, before_path));
    PGO_TRY(const CountedProfile after, read(*file.after, after_path));
    if (before.is_by_probe != after.is_by_probe)
      return fail(ErrorKind::kMismatch,
                  "one of the profiles counts by line, the other by pseudo probe");
    return compare_profiles(before, after, request_.top);
  }

  const LockDiffRequest& request_;
  Diagnostics& diagnostics_;
  bool was_opened_ = false;
  std::optional<BlobCache> cache_;
  std::set<std::string> fetched_;
};

}  // namespace

ExpectedEffect FileChange::effect() const {
  if (is_same()) return ExpectedEffect::kNone;
  if (!comparison) return ExpectedEffect::kUnknown;
  for (const auto* file : {&before, &after})
    if ((*file)->split_half_overlap && comparison->overlap >= *(*file)->split_half_overlap)
      return ExpectedEffect::kByChance;
  return comparison->overlap >= kSmallOverlap  ? ExpectedEffect::kSmall
         : comparison->overlap >= kPartOverlap ? ExpectedEffect::kPart
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
    for (FileChange& file : change->files)
      if (can_be_compared(file)) comparer.compare(*change, file);
    result.changes.push_back(*std::move(change));
  }
  return result;
}

}  // namespace pgo
