#include "pgo/capture/spool.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "pgo/base/atomic_file.h"
#include "pgo/base/directory_lock.h"
#include "pgo/base/json_fields.h"
#include "pgo/base/mapped_file.h"
#include "pgo/base/private_file.h"
#include "pgo/base/text_bytes.h"
#include "pgo/base/time_text.h"

namespace pgo {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char *kStatus = "status.json", *kLabels = ".labels";
constexpr size_t kMaxStatus = 1 << 16, kMaxLabels = 1 << 20, kNumberDigits = 10;
constexpr uint64_t kMost = std::numeric_limits<uint64_t>::max();

// "0000000012-2.addr": the second profile of recording 12.
std::string profile_name(uint64_t recording, size_t index, const std::string& extension) {
  std::string number = std::to_string(recording);
  number.insert(0, kNumberDigits - std::min(number.size(), kNumberDigits), '0');
  return number + "-" + std::to_string(index) + extension;
}

// Of a profile, of its labels, and of the temporary files of both.
bool is_our_name(std::string_view name) {
  const size_t digits = std::min(name.find_first_not_of("0123456789"), name.size());
  return digits >= kNumberDigits && name.substr(digits).starts_with('-');
}

bool is_profile_name(std::string_view name) {
  return is_our_name(name) && (name.ends_with(".addr") || name.ends_with(".data"));
}

uint64_t recording_of(const std::string& name) { return std::strtoull(name.c_str(), nullptr, 10); }

const char* ending_of(Settled as) { return as == Settled::kStored ? ".stored" : ".dropped"; }

std::string labels_name(const std::string& name) { return name + kLabels; }

Result<std::string> read_text(const std::string& path) {
  PGO_TRY(const MappedFile file, MappedFile::open(path));
  return std::string(as_text(file.bytes()));
}

// Whatever the umask is.
Result<void> set_mode(const std::string& path, mode_t mode) {
  if (::chmod(path.c_str(), mode) != 0) return io_failure(path, "cannot set the permissions");
  return ok();
}

Result<void> write_for_all(const std::string& path, const std::string& text) {
  PGO_TRY(AtomicFile file, AtomicFile::write(path, text));
  PGO_CHECK(set_mode(file.temporary(), 0644));
  return file.commit();
}

Result<void> remove_file(const std::string& path) {
  std::error_code error;
  fs::remove(path, error);
  if (error) return fail(ErrorKind::kIo, path + ": cannot remove: " + error.message());
  return ok();
}

// A counter, and the name that status.json has for it.
template <typename Counts>
std::vector<std::pair<const char*, decltype(&std::declval<Counts&>().recordings.begun)>> counters(
    Counts& counts) {
  auto& [recordings, profiles, skipped] = counts;
  return {{"recordings_begun", &recordings.begun},
          {"recordings_kept", &recordings.kept},
          {"recordings_without_samples", &recordings.without_samples},
          {"recordings_failed", &recordings.failed},
          {"recordings_interrupted", &recordings.interrupted},
          {"profiles_made", &profiles.made},
          {"profiles_stored", &profiles.stored},
          {"profiles_dropped", &profiles.dropped},
          {"intervals_paused", &skipped.paused},
          {"intervals_without_process", &skipped.without_process},
          {"intervals_over_budget", &skipped.over_budget}};
}

}  // namespace

Result<Spool> Spool::open(const std::string& directory, const SpoolOptions& options) {
  std::error_code error;
  fs::create_directories(fs::path(directory).parent_path(), error);
  // A monitor reads the counts.
  if (::mkdir(directory.c_str(), 0755) == 0)
    PGO_CHECK(set_mode(directory, 0755));
  else if (errno != EEXIST)
    return io_failure(directory, "cannot make the spool");
  std::unique_ptr<UniqueFd> lock = try_lock_directory(directory);
  if (lock == nullptr && !fs::is_directory(directory, error))
    return fail(ErrorKind::kIo, directory + ": is not a directory");
  if (lock == nullptr)
    return fail(ErrorKind::kUsage, "another process uses the spool " + directory,
                "end it, or name another spool with \xFF{spool}");
  Spool spool(directory, options, std::move(lock));
  PGO_CHECK(spool.read_status());
  PGO_TRY(const std::vector<SettledProfile> settled, spool.read_profiles());
  PGO_CHECK(spool.recover(settled));
  return spool;
}

Result<void> Spool::read_status() {
  const std::string path = path_of(kStatus);
  if (std::error_code error; !fs::exists(path, error)) return ok();
  PGO_TRY(const std::string text, read_text(path));
  PGO_TRY(const json status, parse_json(text, kMaxStatus, path, "the counts of a spool"));
  JsonProblem problem;
  JsonFields fields(status, "the counts of a spool", problem);
  if (fields.number("format", 1, 1) == 1) {
    for (auto [name, value] : counters(counts_)) *value = fields.number(name, 0, kMost);
    under_way_ = fields.number("under_way", 0, kMost);
    last_made_ = fields.optional_text("last_made");
    settled_ = fields.optional_text("settled");
    last_success_ = parse_time(fields.optional_text("last_success")).value_or(0);
    last_error_ = {parse_time(fields.optional_text("last_error_time")).value_or(0),
                   fields.optional_text("last_error")};
  }
  if (problem.first)
    return fail(ErrorKind::kInput, path + ": " + *problem.first,
                "remove it to count from 0; the profiles beside it are kept");
  return ok();
}

Result<std::vector<Spool::SettledProfile>> Spool::read_profiles() {
  std::vector<SettledProfile> settled;
  std::error_code error;
  for (fs::directory_iterator entry(directory_, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    for (const Settled as : {Settled::kStored, Settled::kDropped})
      if (name.ends_with(ending_of(as)))
        settled.push_back({name.substr(0, name.size() - std::strlen(ending_of(as))), as});
    std::error_code its_error;
    const uint64_t size = entry->file_size(its_error);
    if (!is_profile_name(name) || its_error) continue;
    // A profile with damaged labels is sent all the same: that fails, and names the damage.
    const Result<Notes> notes = notes_of(name);
    profiles_.push_back({name, size, notes ? notes->destination : options_.destination});
  }
  if (error) return fail(ErrorKind::kIo, directory_ + ": cannot list: " + error.message());
  std::sort(profiles_.begin(), profiles_.end(),
            [](const SpooledProfile& a, const SpooledProfile& b) { return a.name < b.name; });
  for (const SpooledProfile& profile : profiles_) bytes_ += profile.size;
  std::erase_if(settled, [](const SettledProfile& one) { return !is_profile_name(one.name); });
  return settled;
}

// What an earlier run left undone.
Result<void> Spool::recover(const std::vector<SettledProfile>& settled) {
  PGO_CHECK(clear_work_directory());
  // The disk may have lost its other name.
  if (!profiles_.empty() && !settled_.empty()) {
    auto left = std::find_if(profiles_.begin(), profiles_.end(),
                             [&](const SpooledProfile& one) { return one.name == settled_; });
    if (left != profiles_.end()) {
      PGO_CHECK(remove_file(path_of(left->name)));
      bytes_ -= left->size;
      profiles_.erase(left);
    }
  }
  std::vector<std::string> names;
  for (const SpooledProfile& profile : profiles_) names.push_back(profile.name);
  for (const SettledProfile& profile : settled) names.push_back(profile.name);
  std::sort(names.begin(), names.end());
  bool is_kept = false;
  last_number_ = counts_.recordings.begun;
  for (const std::string& name : names) {
    last_number_ = std::max(last_number_, recording_of(name));
    is_kept |= under_way_ != 0 && recording_of(name) == under_way_;
    if (name > last_made_) {
      counts_.profiles.made++;
      last_made_ = name;
    }
  }
  lost_recording_ = under_way_ != 0 && !is_kept;
  if (under_way_ != 0) (is_kept ? counts_.recordings.kept : counts_.recordings.interrupted)++;
  under_way_ = 0;
  for (const SettledProfile& profile : settled) {
    if (profile.name == settled_) continue;  // it was counted, and not removed any more
    count(profile.as);
    settled_ = profile.name;
    PGO_CHECK(write_status());
  }
  PGO_CHECK(remove_leftovers());
  return write_status();
}

// Labels whose profile did not follow, or went, and temporary files.
Result<void> Spool::remove_leftovers() const {
  std::vector<std::string> leftovers;
  std::error_code error;
  for (fs::directory_iterator entry(directory_, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    const bool is_of_profile =
        std::any_of(profiles_.begin(), profiles_.end(), [&](const SpooledProfile& one) {
          return one.name == name || labels_name(one.name) == name;
        });
    const bool is_ours = is_our_name(name) || name.starts_with(std::string(kStatus) + ".tmp");
    if (is_ours && !is_of_profile) leftovers.push_back(name);
  }
  if (error) return fail(ErrorKind::kIo, directory_ + ": cannot list: " + error.message());
  for (const std::string& name : leftovers) PGO_CHECK(remove_file(path_of(name)));
  return ok();
}

Result<void> Spool::write_status() const {
  json status = {{"format", 1},         {"under_way", under_way_},     {"last_made", last_made_},
                 {"settled", settled_}, {"waiting", profiles_.size()}, {"waiting_bytes", bytes_}};
  for (auto [name, value] : counters(counts_)) status[name] = *value;
  if (last_success_ != 0) status["last_success"] = format_time(last_success_);
  if (last_error_.time != 0) {
    status["last_error"] = last_error_.text;
    status["last_error_time"] = format_time(last_error_.time);
  }
  const std::string text = status.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
  return write_for_all(path_of(kStatus), text);
}

Result<void> Spool::clear_work_directory() const {
  std::error_code error;
  fs::remove_all(work_directory(), error);
  if (error) return fail(ErrorKind::kIo, work_directory() + ": cannot remove: " + error.message());
  return ok();
}

Result<Spool::Notes> Spool::notes_of(const std::string& name) const {
  const std::string path = path_of(labels_name(name));
  PGO_TRY(const std::string text, read_text(path));
  PGO_TRY(const json object, parse_json(text, kMaxLabels, path, "the labels of a profile"));
  JsonProblem problem;
  JsonFields fields(object, "the labels of a profile", problem);
  Notes notes{fields.text("destination"), fields.optional_labels("labels")};
  if (problem.first) return fail(ErrorKind::kInput, path + ": " + *problem.first);
  return notes;
}

Result<Labels> Spool::labels_of(const std::string& name) const {
  PGO_TRY(Notes notes, notes_of(name));
  return std::move(notes.labels);
}

std::vector<SpooledProfile> Spool::own_profiles() const {
  std::vector<SpooledProfile> own;
  for (const SpooledProfile& profile : profiles_)
    if (profile.destination == options_.destination) own.push_back(profile);
  return own;
}

std::map<std::string, uint64_t> Spool::other_destinations() const {
  std::map<std::string, uint64_t> others;
  for (const SpooledProfile& profile : profiles_)
    if (profile.destination != options_.destination) others[profile.destination]++;
  return others;
}

Result<void> Spool::begin_recording() {
  PGO_CHECK(clear_work_directory());
  if (::mkdir(work_directory().c_str(), 0700) != 0)
    return io_failure(work_directory(), "cannot make");
  counts_.recordings.begun++;
  under_way_ = ++last_number_;
  added_ = 0;
  return write_status();
}

Result<uint64_t> Spool::add(const NewProfile& profile) {
  const std::string name = profile_name(under_way_, ++added_, profile.extension);
  // A label that is no UTF-8 gets U+FFFD for such bytes.
  const json notes = {{"destination", options_.destination}, {"labels", profile.labels}};
  const std::string text = notes.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
  PGO_CHECK(write_private_file(path_of(labels_name(name)), text, profile.time));
  PGO_CHECK(write_private_file(path_of(name), profile.contents, profile.time));
  profiles_.push_back({name, profile.contents.size(), options_.destination});
  bytes_ += profile.contents.size();
  counts_.profiles.made++;
  last_made_ = name;
  uint64_t dropped = 0;
  while (bytes_ > options_.max_bytes) {
    const std::string oldest = profiles_.front().name;
    PGO_CHECK(settle(oldest, Settled::kDropped));
    dropped++;
  }
  return dropped;
}

Result<void> Spool::end_recording(RecordingEnd end) {
  switch (end) {
    case RecordingEnd::kKept: counts_.recordings.kept++; break;
    case RecordingEnd::kWithoutSamples: counts_.recordings.without_samples++; break;
    case RecordingEnd::kFailed: counts_.recordings.failed++; break;
    case RecordingEnd::kInterrupted: counts_.recordings.interrupted++; break;
  }
  under_way_ = 0;
  PGO_CHECK(write_status());
  return clear_work_directory();
}

Result<void> Spool::settle(const std::string& name, Settled as) {
  PGO_CHECK(finish_settling());
  const auto found = std::find_if(profiles_.begin(), profiles_.end(),
                                  [&](const SpooledProfile& one) { return one.name == name; });
  if (found == profiles_.end())
    return fail(ErrorKind::kInternal, name + ": is not in the spool " + directory_);
  const std::string settled_path = path_of(name) + ending_of(as);
  // Somebody may have removed it.
  if (::rename(path_of(name).c_str(), settled_path.c_str()) != 0 && errno != ENOENT)
    return io_failure(path_of(name), "cannot rename");
  bytes_ -= found->size;
  profiles_.erase(found);
  count(as);
  settled_ = name;
  settled_path_ = settled_path;
  Result<void> finished = finish_settling();
  // A full disk gets room for the counts.
  if (!finished && ::truncate(settled_path.c_str(), 0) == 0) finished = finish_settling();
  return finished;
}

void Spool::count(Settled as) {
  (as == Settled::kStored ? counts_.profiles.stored : counts_.profiles.dropped)++;
}

Result<void> Spool::finish_settling() {
  if (settled_path_.empty()) return ok();
  PGO_CHECK(write_status());
  PGO_CHECK(remove_file(settled_path_));
  PGO_CHECK(remove_file(path_of(labels_name(settled_))));
  settled_path_.clear();
  return ok();
}

Result<void> Spool::note_error(int64_t time, const std::string& text) {
  last_error_ = {time, text};
  return write_status();
}

Result<void> Spool::skip_turn(SkippedTurn why) {
  switch (why) {
    case SkippedTurn::kPaused: counts_.skipped.paused++; break;
    case SkippedTurn::kWithoutProcess: counts_.skipped.without_process++; break;
    case SkippedTurn::kOverBudget: counts_.skipped.over_budget++; break;
  }
  return write_status();
}

}  // namespace pgo
