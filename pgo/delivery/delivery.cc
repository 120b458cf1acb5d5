#include "pgo/delivery/delivery.h"

#include <unistd.h>

#include <array>
#include <chrono>
#include <filesystem>
#include <system_error>
#include <utility>

#include "pgo/base/atomic_file.h"
#include "pgo/base/temporary_directory.h"
#include "pgo/base/time_text.h"
#include "pgo/convert/convert.h"
#include "pgo/delivery/running_binaries.h"
#include "pgo/upload/upload.h"

namespace pgo {
namespace {

constexpr std::string_view kHour = "2026-11-26T13";

std::string host_name() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0) return "";
  return name.data();
}

int64_t now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

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

Result<std::string> convert_recording(const std::string& recording,
                                      std::vector<std::string> binaries, Diagnostics& diagnostics) {
  ConvertRequest request;
  request.inputs = {recording};
  request.binaries = std::move(binaries);
  request.outputs = {{Format::kAddressProfile, recording + ".addr"}};
  PGO_TRY(ConvertResult converted, convert(request));
  diagnostics.add(converted.profile.diagnostics);
  return std::move(converted.outputs.at(0).contents);
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
  DeliveryResult result;
  result.labels = request.labels;
  if (const std::string host = host_name(); !host.empty()) result.labels.emplace("host", host);
  PGO_TRY(const std::string key, key_of(request, result.labels, now()));
  PGO_TRY(const TemporaryDirectory directory, TemporaryDirectory::make());
  const RunningBinaries running(request.record.pid);
  RecordRequest record_request = request.record;
  record_request.output = directory.file("perf.data");
  record_request.clock_recording = false;
  PGO_TRY(result.recording, record(record_request));
  result.recorded = size_of(record_request.output);

  PGO_TRY(std::vector<std::string> binaries,
          running.find_sampled(record_request.output, directory.path(), result.diagnostics));
  PGO_TRY(const std::string profile,
          convert_recording(record_request.output, std::move(binaries), result.diagnostics));
  result.sent = profile.size();
  UploadRequest upload_request;
  upload_request.files = {directory.file("profile.addr")};
  upload_request.labels = result.labels;
  upload_request.key = key;
  upload_request.destination = request.destination;
  PGO_TRY(AtomicFile file, AtomicFile::write(upload_request.files[0], profile));
  PGO_CHECK(file.commit());
  PGO_TRY(UploadResult uploaded, upload(upload_request));
  result.diagnostics.add(uploaded.diagnostics);
  result.places = std::move(uploaded.files.at(0).places);
  return result;
}

}  // namespace pgo
