#include "pgo/capture/recorded_profile.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "converters/address/address_profile_writer.h"
#include "converters/perf_data/address_space.h"
#include "converters/perf_data/perf_data_reader.h"
#include "converters/perf_data/recording_summary.h"
#include "pgo/base/mapped_file.h"
#include "pgo/base/number_text.h"
#include "pgo/capture/binary_copy.h"
#include "pgo/code/instruction_decoder.h"
#include "pgo/elf/elf_image.h"

namespace pgo {
namespace {

// Of all files of a recording: of code and symbols, which are held in memory.
constexpr uint64_t kMaxCopied = uint64_t{512} << 20;

// A file that was sampled, as far as reading its samples needs it.
struct SampledBinary {
  BinaryCopy file;
  std::unique_ptr<ElfImage> image;  // its path is that of the recording
  std::unique_ptr<CodeMap> code;
};

// PC samples count at their address, whatever is there.
std::unique_ptr<CodeMap> map_without_instructions(const ElfImage& image) {
  uint64_t begin = UINT64_MAX, end = 0;
  for (const ElfImage::Segment& segment : image.segments()) {
    if (!segment.executable) continue;
    begin = std::min(begin, segment.addr.value);
    end = std::max(end, segment.addr.value + segment.memory_size);
  }
  if (begin >= end) begin = end = 0;
  return std::make_unique<CodeMap>(ElfAddr{begin}, ElfAddr{end}, [](CodeMap&, ElfAddr) {});
}

struct FoundImage {
  BinaryCopy file;
  ElfImage image;
  bool is_program = false;
};

// Files that samples may be of: branches also lead through files that no sample was taken in.
std::vector<perf_data::RecordingSummary::File> files_to_open(const perf_data::Recording& recording,
                                                             bool has_branches) {
  std::vector<perf_data::RecordingSummary::File> files =
      perf_data::summarize_recording(recording, 1).files;
  if (!has_branches) return files;
  std::vector<perf_data::RecordedFile> mapped;
  perf_data::AddressSpaces::of_recorded_files(recording, mapped);
  for (perf_data::RecordedFile& file : mapped) files.push_back({std::move(file), 0});
  return files;
}

class Conversion {
 public:
  Conversion(const perf_data::Recording& recording, const ProcessBinaries& binaries,
             RecordedProfile& result)
      : recording_(recording), held_(binaries), result_(result) {}

  // Opens the files that have samples. False: instructions of the program cannot be found.
  Result<bool> open_binaries();
  Result<AddressProfile> read(const Origins& origins);

 private:
  std::optional<FoundImage> open_image(const perf_data::RecordedFile& file,
                                       const std::string& readable, bool is_program);
  std::optional<FoundImage> find_image(const perf_data::RecordedFile& file);
  bool is_open(const BuildId& id) const;
  bool is_program(const FoundImage& found) const;
  void warn_of_unknown_files();

  const perf_data::Recording& recording_;
  const ProcessBinaries& held_;
  RecordedProfile& result_;
  std::vector<SampledBinary> binaries_;
  uint64_t copied_ = 0;                      // bytes of `binaries_`
  std::map<std::string, uint64_t> unknown_;  // samples by path
  std::set<std::string> too_large_;          // paths
  std::string most_sampled_;                 // path
};

// What is readable there, if it is the file that was recorded.
std::optional<FoundImage> Conversion::open_image(const perf_data::RecordedFile& file,
                                                 const std::string& readable, bool is_program) {
  Result<BinaryCopy> copy = BinaryCopy::read(
      readable, {.with_code = result_.has_branches, .max_bytes = kMaxCopied - copied_});
  if (!copy && copy.error().kind == ErrorKind::kUnsupported) too_large_.insert(file.path);
  if (!copy) return std::nullopt;
  Result<ElfImage> image = ElfImage::parse(copy->bytes(), without_deleted(file.path));
  if (!image || image->build_id().empty()) return std::nullopt;
  if (!file.id.empty() && !file.id.matches(image->build_id())) return std::nullopt;
  return FoundImage{*std::move(copy), *std::move(image), is_program};
}

// One of those that are held, or else the one at its path on this host. Only a build ID tells that
// the latter is it.
std::optional<FoundImage> Conversion::find_image(const perf_data::RecordedFile& file) {
  for (const HeldBinary& held : held_.find(file.path)) {
    if (file.id.empty() && !held.is_certain) continue;
    if (auto found = open_image(file, held.readable, held.is_program)) return found;
  }
  if (file.id.empty()) return std::nullopt;
  return open_image(file, file.path, false);
}

bool Conversion::is_open(const BuildId& id) const {
  return std::any_of(binaries_.begin(), binaries_.end(),
                     [&](const SampledBinary& one) { return one.image->build_id().matches(id); });
}

bool Conversion::is_program(const FoundImage& found) const {
  return found.is_program || (held_.empty() && found.image.path() == most_sampled_);
}

Result<bool> Conversion::open_binaries() {
  for (const auto& [file, samples] : files_to_open(recording_, result_.has_branches)) {
    if (!file.path.starts_with('/')) continue;  // [vdso], //anon
    if (most_sampled_.empty() && samples > 0) most_sampled_ = without_deleted(file.path);
    std::optional<FoundImage> found = find_image(file);
    if (!found) {
      if (samples > 0) unknown_[file.path] += samples;
      continue;
    }
    if (is_open(found->image.build_id())) continue;
    const bool is_of_program = is_program(*found);
    if (is_of_program && result_.program.empty()) result_.program = found->image.build_id().hex();
    SampledBinary binary{std::move(found->file),
                         std::make_unique<ElfImage>(std::move(found->image)), nullptr};
    if (!result_.has_branches) {
      binary.code = map_without_instructions(*binary.image);
    } else if (!binary.image->symbols().empty()) {
      PGO_TRY(binary.code, make_code_map(*binary.image, *binary.image));
    } else if (is_of_program) {
      result_.diagnostics.warn(
          kKeptRecording,
          file.path +
              " is stripped, so the recording is kept as it is: convert it where the "
              "debug file is");
      return false;
    } else {
      if (samples > 0)
        result_.diagnostics.warn(kStrippedLibraries,
                                 file.path + " is stripped: its branch records are left out");
      continue;
    }
    copied_ += binary.file.copied_bytes();
    binaries_.push_back(std::move(binary));
  }
  warn_of_unknown_files();
  return true;
}

void Conversion::warn_of_unknown_files() {
  for (const auto& [path, samples] : unknown_)
    result_.diagnostics.warn(
        kUnknownFiles,
        too_large_.contains(path)
            ? path +
                  ": its samples are left out, because the code and symbols of the recorded "
                  "files are larger than " +
                  format_size(kMaxCopied)
            : path +
                  ": cannot be read as it ran, or has no build ID; its samples are left out. To "
                  "read a replaced file, pgo needs CAP_CHECKPOINT_RESTORE. To get a build ID, "
                  "link with -Wl,--build-id");
  if (held_.is_limited() && !unknown_.empty())
    result_.diagnostics.warn(
        kUnknownFiles,
        "the processes have more files than can be held open (512): record each program by itself "
        "(\xFF{service-name} NAME)");
}

Result<AddressProfile> Conversion::read(const Origins& origins) {
  std::vector<TargetBinary> targets;
  for (const SampledBinary& binary : binaries_)
    targets.push_back({binary.image.get(), binary.code.get(), nullptr});
  perf_data::ReadOptions options;
  options.jobs = 1;
  PGO_TRY(AddressProfile profile, perf_data::read_samples(recording_, targets, options));
  std::erase_if(profile.binaries, [](const BinaryCounts& counts) {
    return counts.traces.empty() && counts.pc_samples.empty();
  });
  profile.origins = origins;
  profile.normalize();
  return profile;
}

// A file that is held is the one that ran, whatever the recording says of its build ID.
void add_warnings_of_reader(const Diagnostics& theirs, Diagnostics& diagnostics) {
  for (const auto& [kind, entry] : theirs.entries())
    if (kind != "matched-by-name") diagnostics.add(kind, entry);
}

uint64_t counted_in(const AddressProfile& profile) {
  return profile.samples.used + profile.samples.pending;
}

}  // namespace

Result<RecordedProfile> make_recorded_profile(const std::string& path,
                                              const ProcessBinaries& binaries,
                                              const Origins& origins) {
  PGO_TRY(const MappedFile file, MappedFile::open(path));
  PGO_TRY(const perf_data::Recording recording, perf_data::scan_recording(file.bytes(), path, {}));
  RecordedProfile result;
  result.samples = recording.sample_records;
  if (result.samples == 0) return result;
  result.has_branches =
      std::any_of(recording.events.begin(), recording.events.end(),
                  [](const perf_data::EventAttr& event) { return event.has_branch_stacks(); });
  Conversion conversion(recording, binaries, result);
  PGO_TRY(const bool is_convertible, conversion.open_binaries());
  if (!is_convertible) {
    result.contents = as_text(file.bytes());
    result.extension = ".perf.data";
    result.used = result.samples;
    return result;
  }
  PGO_TRY(const AddressProfile profile, conversion.read(origins));
  add_warnings_of_reader(profile.diagnostics, result.diagnostics);
  result.used = counted_in(profile);
  if (profile.binaries.empty()) return result;
  PGO_TRY(result.contents, write_address_profile(profile));
  result.extension = ".addr";
  return result;
}

}  // namespace pgo
