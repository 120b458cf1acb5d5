#include "pgo/registry/profile_version.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>
#include <tuple>

#include "pgo/base/json_fields.h"
#include "pgo/base/number_text.h"
#include "pgo/base/sha256.h"
#include "pgo/base/time_text.h"
#include "pgo/base/utf8.h"
#include "pgo/registry/library_name.h"

namespace pgo {
namespace {

struct FormRow {
  FileForm form;
  FileKind kind;
  std::string_view media_type;
};
constexpr FormRow kForms[] = {
    {FileForm::kLlvmProf, FileKind::kLlvm, "application/vnd.prodpgo.llvm-prof.v1"},
    {FileForm::kLlvmProftext, FileKind::kLlvm, "application/vnd.prodpgo.llvm-proftext.v1"},
    {FileForm::kGccAfdo, FileKind::kGcc, "application/vnd.prodpgo.gcc-afdo.v1"},
    {FileForm::kBoltFdata, FileKind::kBolt, "application/vnd.prodpgo.bolt-fdata.v1"},
    {FileForm::kBoltYaml, FileKind::kBolt, "application/vnd.prodpgo.bolt-profile.v1+yaml"},
    {FileForm::kBoltTraces, FileKind::kBolt, "application/vnd.prodpgo.bolt-traces.v1"},
    {FileForm::kGoPgo, FileKind::kGo, "application/vnd.prodpgo.go-default-pgo.v1"},
    {FileForm::kPreboltElf, FileKind::kPrebolt, "application/vnd.prodpgo.prebolt.v1"},
    {FileForm::kReportJson, FileKind::kReport, "application/vnd.prodpgo.report.v1+json"},
    {FileForm::kAddr, FileKind::kAddress, "application/vnd.prodpgo.addr.v1"},
    {FileForm::kPprofGz, FileKind::kPprof, "application/vnd.prodpgo.pprof.v1"},
    {FileForm::kBundleJson, FileKind::kBundle, "application/vnd.prodpgo.bundle.v1+json"},
    {FileForm::kSummaryMarkdown, FileKind::kSummary, "application/vnd.prodpgo.summary.v1+markdown"},
    {FileForm::kGenerationProf, FileKind::kGeneration, "application/vnd.prodpgo.generation.v1"},
};

constexpr const char* kConfiguration = "dev.prodpgo.configuration";
constexpr const char* kLibrary = "dev.prodpgo.library";
constexpr const char* kBuilds = "dev.prodpgo.builds";
constexpr const char* kLibraries = "dev.prodpgo.libraries";
constexpr const char* kBoltOf = "dev.prodpgo.bolt-of";
constexpr const char* kEvidence = "dev.prodpgo.evidence";
constexpr const char* kQuality = "dev.prodpgo.quality";
constexpr const char* kDensity = "dev.prodpgo.density";
constexpr const char* kOverlap = "dev.prodpgo.split-half-overlap";
constexpr const char* kSamples = "dev.prodpgo.samples";
constexpr const char* kService = "dev.prodpgo.service";
constexpr const char* kWindowFrom = "dev.prodpgo.window.from";
constexpr const char* kWindowTo = "dev.prodpgo.window.to";
constexpr const char* kInputs = "dev.prodpgo.inputs";
constexpr const char* kSources = "dev.prodpgo.sources";

constexpr double kMaxDensity = 1e12;

std::string joined_by(const std::vector<std::string>& texts, char separator) {
  std::string result;
  for (const std::string& text : texts)
    result += (result.empty() ? "" : std::string(1, separator)) + text;
  return result;
}

std::vector<std::string> split_at(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const size_t end = std::min(text.find(separator), text.size());
    if (end > 0) parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

void put(Labels& annotations, const char* key, const std::string& value) {
  if (!value.empty()) annotations[key] = value;
}

void put_figures(Labels& annotations, const ProfileFile& file) {
  if (file.evidence != Evidence::kUnknown)
    annotations[kEvidence] = std::string(evidence_name(file.evidence));
  if (file.quality != Quality::kUnknown)
    annotations[kQuality] = std::string(quality_name(file.quality));
  if (file.density) annotations[kDensity] = format_decimal(*file.density, 1);
  if (file.split_half_overlap) annotations[kOverlap] = format_decimal(*file.split_half_overlap, 3);
  if (file.samples) annotations[kSamples] = std::to_string(*file.samples);
}

// The annotations of a layer or of the manifest. What is wrong is noted.
class Annotations {
 public:
  Annotations(const Labels& labels, std::string place, JsonProblem& problem)
      : labels_(labels), place_(std::move(place)), problem_(problem) {}

  std::string text(const char* key) const {
    auto found = labels_.find(key);
    return found == labels_.end() ? "" : found->second;
  }
  template <typename T>
  std::optional<T> number(const char* key, T max) {
    const std::string value = text(key);
    if (value.empty()) return std::nullopt;
    T number{};
    auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error == std::errc() && end == value.data() + value.size() && number >= 0 && number <= max)
      return number;
    wrong(key, "a number from 0 to " + max_text(max));
    return std::nullopt;
  }
  std::optional<int64_t> time(const char* key) {
    const std::string value = text(key);
    if (value.empty()) return std::nullopt;
    const std::optional<int64_t> time = parse_time(value);
    if (!time) wrong(key, "a time such as 2026-11-26T13:00:00Z");
    return time;
  }
  std::string build(const char* key) {
    std::string value = text(key);
    if (value.find_first_not_of("0123456789abcdef") != value.npos) wrong(key, "a build ID");
    return value;
  }
  std::vector<std::string> builds(const char* key) {
    std::vector<std::string> values = split_at(text(key), ',');
    for (const std::string& value : values)
      if (value.find_first_not_of("0123456789abcdef") != value.npos)
        wrong(key, "a list of build IDs");
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values;
  }
  static std::string max_text(double max) { return format_decimal(max, 0); }
  static std::string max_text(uint64_t max) { return std::to_string(max); }

  void wrong(const char* key, const std::string& wanted) {
    problem_.note("the annotation " + std::string(key) + " of " + place_ + " is not " + wanted);
  }

 private:
  const Labels& labels_;
  std::string place_;
  JsonProblem& problem_;
};

// "layer 2 (server.prof)".
std::string layer_place(const OciDescriptor& layer, size_t index) {
  const std::string place = "layer " + std::to_string(index + 1);
  auto title = layer.annotations.find(kOciTitle);
  const bool has_name = title != layer.annotations.end() && is_plain_file_name(title->second);
  return has_name ? place + " (" + title->second + ")" : place;
}

ProfileFile file_of(const OciDescriptor& layer, const std::string& place, JsonProblem& problem) {
  Annotations annotations(layer.annotations, place, problem);
  ProfileFile file;
  file.kind = kind_of_media_type(layer.media_type);
  file.media_type = layer.media_type;
  file.name = annotations.text(kOciTitle);
  if (!is_plain_file_name(file.name)) annotations.wrong(kOciTitle, "the name of a file");
  file.digest = layer.digest;
  if (!is_sha256_digest(file.digest)) problem.note("the digest of " + place + " is not sha256");
  file.size = layer.size;
  file.configuration = annotations.text(kConfiguration);
  file.library = annotations.text(kLibrary);
  if (!file.library.empty() && library_name(file.library) != file.library)
    annotations.wrong(kLibrary, "the name of a library");
  file.of_builds = annotations.builds(kBuilds);
  file.of_libraries = annotations.builds(kLibraries);
  file.bolt_of = annotations.build(kBoltOf);
  file.evidence = find_evidence(annotations.text(kEvidence)).value_or(Evidence::kUnknown);
  file.quality = find_quality(annotations.text(kQuality)).value_or(Quality::kUnknown);
  file.density = annotations.number<double>(kDensity, kMaxDensity);
  file.split_half_overlap = annotations.number<double>(kOverlap, 1);
  file.samples = annotations.number<uint64_t>(kSamples, ~uint64_t{0});
  return file;
}

// What is wrong is noted.
ProfileVersion version_of(const OciManifest& manifest, JsonProblem& problem) {
  Annotations annotations(manifest.annotations, "the manifest", problem);
  ProfileVersion version;
  version.service = annotations.text(kService);
  version.sources = split_at(annotations.text(kSources), '\n');
  version.inputs = annotations.text(kInputs);
  if (!version.inputs.empty() && !is_sha256_digest(version.inputs))
    annotations.wrong(kInputs, "'sha256:' and 64 hexadecimal digits");
  const std::optional<int64_t> from = annotations.time(kWindowFrom);
  const std::optional<int64_t> to = annotations.time(kWindowTo);
  if (from && to) version.window = TimeWindow{*from, *to};
  std::set<std::string> names;
  for (size_t i = 0; i < manifest.layers.size() && !problem.first; i++) {
    const std::string place = layer_place(manifest.layers[i], i);
    version.files.push_back(file_of(manifest.layers[i], place, problem));
    if (!names.insert(version.files.back().name).second)
      problem.note(place + " has the name of another, " + version.files.back().name);
  }
  return version;
}

OciDescriptor layer_of(const ProfileFile& file) {
  OciDescriptor layer{file.media_type, file.digest, file.size};
  put(layer.annotations, kOciTitle, file.name);
  put(layer.annotations, kConfiguration, file.configuration);
  put(layer.annotations, kLibrary, file.library);
  put(layer.annotations, kBuilds, joined_by(file.of_builds, ','));
  put(layer.annotations, kLibraries, joined_by(file.of_libraries, ','));
  put(layer.annotations, kBoltOf, file.bolt_of);
  put_figures(layer.annotations, file);
  return layer;
}

std::optional<double> rounded_to(const std::optional<double>& value, double parts) {
  if (!value) return std::nullopt;
  return std::round(*value * parts) / parts;
}

}  // namespace

std::string_view file_kind_name(FileKind kind) {
  switch (kind) {
    case FileKind::kLlvm: return "llvm";
    case FileKind::kGcc: return "gcc";
    case FileKind::kBolt: return "bolt";
    case FileKind::kGo: return "go";
    case FileKind::kPrebolt: return "prebolt";
    case FileKind::kReport: return "report";
    case FileKind::kAddress: return "address";
    case FileKind::kPprof: return "pprof";
    case FileKind::kBundle: return "bundle";
    case FileKind::kSummary: return "summary";
    case FileKind::kGeneration: return "generation";
    case FileKind::kOther: break;
  }
  return "other";
}

bool is_locked_kind(FileKind kind) { return kind <= FileKind::kReport; }

std::string_view media_type_of(FileForm form) {
  for (const FormRow& row : kForms)
    if (row.form == form) return row.media_type;
  return "";
}

FileKind kind_of_media_type(std::string_view media_type) {
  for (const FormRow& row : kForms)
    if (row.media_type == media_type) return row.kind;
  return FileKind::kOther;
}

const ProfileFile* ProfileVersion::main_file() const {
  const ProfileFile* first = nullptr;
  for (const ProfileFile& file : files)
    if (file.kind <= FileKind::kGo && (first == nullptr || file.kind < first->kind)) first = &file;
  return first;
}

std::vector<std::string> ProfileVersion::builds() const {
  std::set<std::string> all;
  for (const ProfileFile& file : files) all.insert(file.of_builds.begin(), file.of_builds.end());
  return {all.begin(), all.end()};
}

bool is_plain_file_name(std::string_view name) {
  return !name.empty() && name.size() <= 255 && name != "." && name != ".." &&
         name.find('/') == name.npos && valid_utf8(name) == name &&
         std::none_of(name.begin(), name.end(),
                      [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
}

void sort_files(std::vector<ProfileFile>& files) {
  std::sort(files.begin(), files.end(), [](const ProfileFile& a, const ProfileFile& b) {
    return std::tie(a.kind, a.configuration, a.library, a.name) <
           std::tie(b.kind, b.configuration, b.library, b.name);
  });
}

void normalize(ProfileVersion& version) {
  for (ProfileFile& file : version.files) {
    std::sort(file.of_builds.begin(), file.of_builds.end());
    std::sort(file.of_libraries.begin(), file.of_libraries.end());
    file.density = rounded_to(file.density, 10);
    file.split_half_overlap = rounded_to(file.split_half_overlap, 1000);
  }
  sort_files(version.files);
  std::sort(version.sources.begin(), version.sources.end());
  version.sources.erase(std::unique(version.sources.begin(), version.sources.end()),
                        version.sources.end());
}

OciManifest manifest_of(const ProfileVersion& version) {
  OciManifest manifest;
  manifest.artifact_type = kProfileArtifact;
  manifest.config = oci_empty_descriptor();
  for (const ProfileFile& file : version.files) manifest.layers.push_back(layer_of(file));
  Labels& annotations = manifest.annotations;
  put(annotations, kService, version.service);
  put(annotations, kInputs, version.inputs);
  put(annotations, kSources, joined_by(version.sources, '\n'));
  put(annotations, kBuilds, joined_by(version.builds(), ','));
  if (version.window) {
    annotations[kWindowFrom] = format_time(version.window->begin);
    annotations[kWindowTo] = annotations[kOciCreated] = format_time(version.window->end);
  }
  if (const ProfileFile* main = version.main_file()) put_figures(annotations, *main);
  return manifest;
}

Result<ProfileVersion> read_profile_version(const OciManifest& manifest, const std::string& name) {
  if (manifest.artifact_type != kProfileArtifact)
    return fail(ErrorKind::kUnsupported,
                name + ": is not a profile: its artifact type is " +
                    (manifest.artifact_type.empty() ? "not given" : manifest.artifact_type) +
                    ", and that of profiles is " + kProfileArtifact);
  JsonProblem problem;
  ProfileVersion version = version_of(manifest, problem);
  if (problem.first)
    return fail(ErrorKind::kInput, name + ": is a damaged profile: " + *problem.first);
  normalize(version);
  return version;
}

std::optional<std::string> unreadable_part(const ProfileVersion& version) {
  JsonProblem problem;
  version_of(manifest_of(version), problem);
  return problem.first;
}

}  // namespace pgo
