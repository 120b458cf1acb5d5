#include "pgo/postlink/reported_evidence.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "converters/format.h"
#include "pgo/base/json_fields.h"
#include "pgo/base/mapped_file.h"

namespace pgo {
namespace {

// The output of the report that has this digest, or null.
const nlohmann::json* find_output(const nlohmann::json& report, const std::string& digest) {
  auto outputs = report.find("outputs");
  if (outputs == report.end() || !outputs->is_array()) return nullptr;
  auto found = std::find_if(outputs->begin(), outputs->end(), [&](const nlohmann::json& output) {
    return text_member(output, "digest") == digest;
  });
  return found == outputs->end() ? nullptr : &*found;
}

// The evidence and the quality of an output are those of its binary. Reports of earlier versions
// have only those of all binaries together; that quality is used only if there is one binary.
std::string evidence_of(const nlohmann::json& output, const nlohmann::json& report) {
  return text_member(output.contains("evidence") ? output : report, "evidence");
}

std::string quality_of(const nlohmann::json& output, const nlohmann::json& report) {
  if (output.contains("quality")) return text_member(output, "quality");
  auto binaries = report.find("binaries");
  bool is_of_one = binaries != report.end() && binaries->is_array() && binaries->size() == 1;
  return is_of_one ? text_member(report, "quality") : std::string();
}

// What the file at `path` says of the profile with this digest.
std::optional<ReportedEvidence> read_report(const std::string& path, const std::string& digest) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return std::nullopt;
  Result<MappedFile> file = MappedFile::open(path);
  if (!file || detect_format(file->bytes()) != Format::kConvertReport) return std::nullopt;
  Bytes bytes = file->bytes();
  nlohmann::json json = nlohmann::json::parse(bytes.begin(), bytes.end(), nullptr, false);
  if (!json.is_object()) return std::nullopt;
  const nlohmann::json* output = find_output(json, digest);
  if (output == nullptr) return std::nullopt;
  std::optional<Evidence> evidence = find_evidence(evidence_of(*output, json));
  if (!evidence) return std::nullopt;
  Quality quality = find_quality(quality_of(*output, json)).value_or(Quality::kUnknown);
  return ReportedEvidence{*evidence, quality, path};
}

// The report of several outputs has the name of at most one of them.
std::vector<std::string> json_files_beside(const std::string& profile) {
  constexpr size_t kMost = 200;  // a directory of other JSON would take long to read
  const std::string directory = std::filesystem::path(profile).parent_path().string();
  std::error_code error;
  std::filesystem::directory_iterator entries(directory.empty() ? "." : directory, error), end;
  std::vector<std::string> paths;
  for (; !error && entries != end; entries.increment(error))
    if (entries->path().extension() == ".json")
      paths.push_back((std::filesystem::path(directory) / entries->path().filename()).string());
  std::sort(paths.begin(), paths.end());
  paths.resize(std::min(paths.size(), kMost));
  return paths;
}

}  // namespace

std::optional<ReportedEvidence> find_reported_evidence(const std::string& profile,
                                                       const std::string& digest) {
  std::vector<std::string> paths = {
      profile + ".json", std::filesystem::path(profile).replace_extension(".json").string()};
  const std::vector<std::string> others = json_files_beside(profile);
  paths.insert(paths.end(), others.begin(), others.end());
  for (const std::string& path : paths)
    if (auto reported = read_report(path, digest)) return reported;
  return std::nullopt;
}

}  // namespace pgo
