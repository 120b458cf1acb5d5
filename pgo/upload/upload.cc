#include "pgo/upload/upload.h"

#include <sys/stat.h>

#include <algorithm>
#include <utility>

#include "converters/address/address_profile_reader.h"
#include "converters/format.h"
#include "pgo/base/number_text.h"
#include "pgo/base/time_text.h"
#include "pgo/source/input_bytes.h"
#include "pgo/source/input_files.h"
#include "pgo/stacks/stack_source.h"
#include "pgo/upload/unnamed_stacks.h"

namespace pgo {
namespace {

// Nanoseconds since 1970; 0: not known.
int64_t time_of_change(const std::string& path) {
  struct stat status = {};
  if (::stat(path.c_str(), &status) != 0) return 0;
  return int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
}

bool is_profile(Format format) {
  return format == Format::kPerfData || format == Format::kAddressProfile ||
         is_stack_format(format);
}

std::string extension_of(const InputBytes& input, Format format) {
  switch (format) {
    case Format::kPprof: return input.compression() == Compression::kNone ? ".pb" : ".pb.gz";
    case Format::kPerfData: return ".perf.data";
    case Format::kAddressProfile: return ".addr";
    case Format::kFolded: return ".folded";
    default: return ".prof";
  }
}

// What an address profile tells of its recording. Other labels name no profile.
void take_origins(const Origins& origins, OutgoingProfile& profile) {
  for (const auto& [key, value] : origins.shared_labels())
    for (const char* known : {"service", "host", "version", "zone", "endpoint"})
      if (key == known) profile.labels.emplace(key, value);
  if (!origins.window) return;
  profile.stacks.time = origins.window->begin;
  profile.stacks.duration = origins.window->end - origins.window->begin;
}

class Uploading {
 public:
  explicit Uploading(const UploadRequest& request)
      : request_(request), form_(request.destination->form()) {}

  Result<UploadResult> run();

 private:
  Result<void> add(const InputFile& file);
  Result<void> read_stacks(const InputBytes& input, OutgoingProfile& profile);
  Result<void> read_origins(const InputBytes& input, OutgoingProfile& profile);
  void set_time(const InputFile& file, Format format, OutgoingProfile& profile);
  void warn_of_missing_services();

  const UploadRequest& request_;
  KeptForm form_;
  UploadResult result_;
};

// perf.data's host name is that of the machine.
Result<void> Uploading::read_stacks(const InputBytes& input, OutgoingProfile& profile) {
  PGO_TRY(StackSource source, read_stack_source(input, {}));
  result_.diagnostics.add(source.diagnostics);
  if (!source.host.empty()) profile.labels.emplace("host", source.host);
  profile.stacks = std::move(source.profile);
  take_origins(source.origins, profile);
  if (profile.stacks.samples.empty())
    return fail(ErrorKind::kEmpty, input.path() + ": has no samples");
  if (form_ != KeptForm::kUnnamedStacks) return ok();
  const uint64_t unnamed = leave_out_names(profile.stacks);
  if (unnamed > 0)
    result_.diagnostics.warn(
        kNamesNotSent, input.path() + ": the names of " + format_count(unnamed, "location") +
                           " are not sent, because " + request_.destination->name() +
                           " would remove their addresses; the store, or pgo, finds the names by "
                           "build ID");
  return ok();
}

// Of a file that is kept as it is.
Result<void> Uploading::read_origins(const InputBytes& input, OutgoingProfile& profile) {
  PGO_TRY(const AddressProfile addresses, read_address_profile(input.contents(), input.path()));
  take_origins(addresses.origins, profile);
  return ok();
}

// Recordings have no time of the day. Others may tell one, and most do.
void Uploading::set_time(const InputFile& file, Format format, OutgoingProfile& profile) {
  profile.time = profile.stacks.time;
  if (profile.time > 0) return;
  profile.time = time_of_change(file.path);
  profile.stacks.time = profile.time;
  if (!is_stack_format(format)) return;
  result_.diagnostics.warn(
      kTimeOfFile, file.shown() + ": does not contain its recording time; the time of its " +
                       "last change is used, " + format_time(profile.time));
}

Result<void> Uploading::add(const InputFile& file) {
  PGO_TRY(const InputBytes input, InputBytes::open(file.path, file.shown()));
  if (input.damage()) return fail(*input.damage());
  if (!input.format()) return input.unknown();
  const Format format = *input.format();
  if (!is_profile(format))
    return fail(ErrorKind::kUnsupported, input.describe(", not a profile of samples"),
                "upload a recording (perf.data), a stack profile or an address profile");
  OutgoingProfile profile;
  profile.shown = file.shown();
  profile.key = request_.key;
  profile.labels = request_.labels;
  for (const auto& [key, text] : file.labels()) profile.labels.emplace(key, text);
  profile.file = input.file();
  profile.extension = extension_of(input, format);
  // What a profile tells of its time and host names its file, too.
  const bool is_kept_addresses = form_ == KeptForm::kFile && format == Format::kAddressProfile;
  PGO_CHECK(is_kept_addresses ? read_origins(input, profile) : read_stacks(input, profile));
  set_time(file, format, profile);
  PGO_TRY(std::vector<std::string> places, request_.destination->put(profile, result_.diagnostics));
  result_.files.push_back({file.shown(), std::move(places), profile.labels, profile.time});
  return ok();
}

// Where the caller names the object, labels are no part of the name.
void Uploading::warn_of_missing_services() {
  const auto without =
      std::count_if(result_.files.begin(), result_.files.end(),
                    [](const UploadedFile& file) { return !file.labels.contains("service"); });
  if (without == 0 || !request_.key.empty()) return;
  result_.diagnostics.warn(
      kNoService, format_count(static_cast<uint64_t>(without), "profile has", "profiles have") +
                      " no label service: pgo fetch \xFF{service-name} will not find " +
                      (without == 1 ? "it" : "them") + "; upload with \xFF{label} service=NAME");
}

Result<UploadResult> Uploading::run() {
  PGO_TRY(const std::vector<InputFile> files, find_input_files(request_.files));
  if (files.empty()) return fail(ErrorKind::kEmpty, "there are no files to upload");
  if (!request_.key.empty() && files.size() > 1)
    return fail(ErrorKind::kUsage, request_.destination->name() + "/" + request_.key +
                                       ": names one object, and there are " +
                                       format_count(files.size()) + " files");
  for (const InputFile& file : files) {
    if (file.named_before) continue;
    Result<void> added = add(file);
    if (!added) {
      Error error = added.error();
      if (!result_.files.empty())
        error.message += " (" + format_count(result_.files.size(), "file") + " of " +
                         format_count(files.size()) + " uploaded before)";
      return fail(std::move(error));
    }
  }
  warn_of_missing_services();
  return std::move(result_);
}

}  // namespace

Result<UploadResult> upload(const UploadRequest& request) { return Uploading(request).run(); }

}  // namespace pgo
