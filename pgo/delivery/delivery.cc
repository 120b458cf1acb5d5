#include "pgo/delivery/delivery.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "pgo/base/atomic_file.h"
#include "pgo/base/clock.h"
#include "pgo/base/deferred_termination.h"
#include "pgo/base/file_time.h"
#include "pgo/base/host_name.h"
#include "pgo/base/mapped_file.h"
#include "pgo/base/temporary_directory.h"
#include "pgo/base/text_bytes.h"
#include "pgo/base/time_text.h"
#include "pgo/capture/process_binaries.h"
#include "pgo/capture/recorded_profile.h"
#include "pgo/delivery/kept_file.h"
#include "pgo/upload/upload.h"

namespace pgo {
namespace {

constexpr std::string_view kHour = "2026-11-26T13", kAddressProfile = ".addr";

uint64_t size_of(const std::string& path) {
  std::error_code error;
  const uintmax_t size = std::filesystem::file_size(path, error);
  return error ? 0 : size;
}

Result<std::string> key_of(const DeliveryRequest& request, const Labels& labels, int64_t time) {
  if (request.key.empty()) return std::string();
  Labels values = labels;
  values["hour"] = format_time(time).substr(0, kHour.size());
  return fill_placeholders(request.key, values);
}

std::string key_with_extension(std::string key, const std::string& extension) {
  if (key.ends_with(kAddressProfile))
    key.replace(key.size() - kAddressProfile.size(), key.npos, extension);
  return key;
}

// The files of a process are held while it is recorded. Those of a command are found by their
// paths.
ProcessBinaries hold_binaries(const RecordRequest& request) {
  if (!request.pid) return {};
  return ProcessBinaries::open({{*request.pid, 0, 0}}, "/proc");
}

// The first warning of files that could not be used, in brackets; or nothing.
std::string reason_of_unknown_files(const Diagnostics& diagnostics) {
  const auto unknown = diagnostics.entries().find(kUnknownFiles);
  return unknown == diagnostics.entries().end() ? "" : " (" + unknown->second.messages.at(0) + ")";
}

// `error`, and that what it is about was not kept, because of `reason`.
Error not_kept(Error error, const Error& reason) {
  error.message += "; and it could not be kept: " + reason.message;
  return error;
}

class Delivery {
 public:
  explicit Delivery(const DeliveryRequest& request) : request_(request) {}

  Result<DeliveryResult> run();

 private:
  Result<RecordedProfile> make_profile(const std::string& recording,
                                       const ProcessBinaries& binaries);
  Result<RecordedProfile> convert(const std::string& recording, const ProcessBinaries& binaries);
  Result<void> send(const RecordedProfile& profile, const std::string& path);

  const DeliveryRequest& request_;
  std::string key_;
  int64_t begin_ = 0;  // of the recording, in nanoseconds since 1970
  DeliveryResult result_;
};

// A request to end waits until what was recorded is sent or kept.
Result<DeliveryResult> Delivery::run() {
  result_.labels = request_.labels;
  if (const std::string host = host_name(); !host.empty()) result_.labels.emplace("host", host);
  begin_ = time_now();
  PGO_TRY(key_, key_of(request_, result_.labels, begin_));
  PGO_CHECK(request_.destination->check(result_.labels));
  std::optional<DeferredTermination> termination;  // outlives the directory
  PGO_TRY(const TemporaryDirectory directory, TemporaryDirectory::make());
  const ProcessBinaries binaries = hold_binaries(request_.record);
  RecordRequest record_request = request_.record;
  record_request.output = directory.file("perf.data");
  record_request.clock_recording = false;
  PGO_TRY(result_.recording, record(record_request));
  result_.recorded = size_of(record_request.output);
  termination.emplace();
  PGO_TRY(const RecordedProfile profile, make_profile(record_request.output, binaries));
  result_.sent = profile.contents.size();
  key_ = key_with_extension(key_, profile.extension);
  PGO_CHECK(send(profile, directory.file("profile" + profile.extension)));
  return std::move(result_);
}

// Keeps a recording that no profile could be made of.
Result<RecordedProfile> Delivery::make_profile(const std::string& recording,
                                               const ProcessBinaries& binaries) {
  Result<RecordedProfile> made = convert(recording, binaries);
  if (made || result_.recording.samples == 0) return made;
  Error error = made.error();
  const Result<MappedFile> file = MappedFile::open(recording);
  if (!file) return fail(not_kept(std::move(error), file.error()));
  const Result<std::string> kept = keep_file({as_text(file->bytes()), ".perf.data", begin_});
  if (!kept) return fail(not_kept(std::move(error), kept.error()));
  error.advice += (error.advice.empty() ? "" : "; ") + ("the recording is kept in " + *kept) +
                  ": convert it with the binary that ran";
  return fail(std::move(error));
}

Result<RecordedProfile> Delivery::convert(const std::string& recording,
                                          const ProcessBinaries& binaries) {
  const Origins origins = Origins::of(result_.labels, Origins::Window{begin_, time_now() + 1});
  PGO_TRY(RecordedProfile profile, make_recorded_profile(recording, binaries, origins));
  if (profile.samples == 0)
    return fail(ErrorKind::kEmpty, "the recording has no samples", "record for longer");
  if (profile.contents.empty())
    return fail(ErrorKind::kEmpty,
                "no sample can be used: each is of a file that has no build ID, or that cannot be "
                "read any more" +
                    reason_of_unknown_files(profile.diagnostics),
                "link the program with -Wl,--build-id");
  result_.diagnostics.add(profile.diagnostics);
  return profile;
}

Result<void> Delivery::send(const RecordedProfile& profile, const std::string& path) {
  PGO_CHECK(write_file_atomically(path, profile.contents));
  PGO_CHECK(set_time_of_change(path, begin_));
  UploadRequest request;
  request.files = {path};
  request.labels = result_.labels;
  request.key = key_;
  request.destination = request_.destination;
  Result<UploadResult> uploaded = upload(request);
  if (!uploaded) {
    const Result<std::string> kept = keep_file({profile.contents, profile.extension, begin_});
    if (!kept) return fail(not_kept(uploaded.error(), kept.error()));
    result_.unsent = UnsentProfile{uploaded.error(), *kept, key_};
    return ok();
  }
  result_.diagnostics.add(uploaded->diagnostics);
  result_.places = std::move(uploaded->files.at(0).places);
  return ok();
}

}  // namespace

Result<std::string> fill_placeholders(const std::string& text, const Labels& values) {
  std::string filled;
  for (size_t at = 0; at < text.size();) {
    const size_t open = std::min(text.find('{', at), text.size());
    filled += text.substr(at, open - at);
    if (open == text.size()) break;
    const size_t close = text.find('}', open);
    if (close == text.npos)
      return fail(ErrorKind::kUsage, "\xFF{output} " + text + ": '}' is missing");
    const std::string key = text.substr(open + 1, close - open - 1);
    const auto value = values.find(key);
    if (value == values.end())
      return fail(ErrorKind::kUsage, "\xFF{output} " + text + ": there is no {" + key + "}",
                  "use {host}, {hour}, or a key of \xFF{label}");
    filled += value->second;
    at = close + 1;
  }
  return filled;
}

Result<DeliveryResult> deliver_recording(const DeliveryRequest& request) {
  return Delivery(request).run();
}

}  // namespace pgo
