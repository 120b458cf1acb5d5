#include "pgo/versions/described_files.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <utility>
#include <variant>

#include "pgo/base/build_id.h"
#include "pgo/base/file_name.h"
#include "pgo/base/sha256.h"
#include "pgo/base/utf8.h"
#include "pgo/registry/version_word.h"
#include "pgo/show/show.h"
#include "pgo/source/bundle.h"
#include "pgo/versions/file_libraries.h"

namespace pgo {
namespace {

struct DescribedFile {
  DescribedFile(std::string its_path, MappedFile its_contents)
      : path(std::move(its_path)), contents(std::move(its_contents)) {}

  ProfileFile file;
  std::string path;
  MappedFile contents;
  std::vector<ConversionReport> reports;  // one when it is a report
  bool is_reported = false;               // by one of the reports among the files
  BinaryInReport binary;                  // that its report names
  // What it says of where profiles come from.
  std::set<std::string> services, sources;
  std::optional<TimeWindow> window;
};

void widen(std::optional<TimeWindow>& window, const TimeWindow& by) {
  if (!window) window = by;
  window = TimeWindow{std::min(window->begin, by.begin), std::max(window->end, by.end)};
}

void set_form(ProfileFile& file, FileForm form) {
  file.media_type = media_type_of(form);
  file.kind = kind_of_media_type(file.media_type);
}

void add_build(ProfileFile& file, const std::string& id) {
  if (!id.empty() &&
      std::find(file.of_builds.begin(), file.of_builds.end(), id) == file.of_builds.end())
    file.of_builds.push_back(id);
}

// What `pgo show` finds in a file.
class ContentsDescription {
 public:
  explicit ContentsDescription(DescribedFile& described)
      : described_(described), file_(described.file) {}

  Result<void> operator()(const LlvmContents& contents) {
    if (is_generation_name(file_.name)) return form(FileForm::kGenerationProf);
    set_form(file_,
             contents.format == Format::kLlvmText ? FileForm::kLlvmProftext : FileForm::kLlvmProf);
    if (contents.density > 0) file_.density = contents.density;
    return ok();
  }
  Result<void> operator()(const GccContents&) { return form(FileForm::kGccAfdo); }
  Result<void> operator()(const FdataContents&) { return form(FileForm::kBoltFdata); }
  Result<void> operator()(const BoltYamlContents& contents) {
    file_.bolt_of = contents.build_id;
    return form(FileForm::kBoltYaml);
  }
  Result<void> operator()(const PreaggregatedContents& contents) {
    add_build(file_, contents.build_id);
    file_.bolt_of = contents.build_id;
    return form(FileForm::kBoltTraces);
  }
  Result<void> operator()(const AddressContents& contents) {
    for (const BuildShare& build : contents.builds) add_build(file_, build.id);
    file_.samples = saturating_add(contents.summary.samples.used, contents.summary.samples.pending);
    const Origins& origins = contents.summary.origins;
    if (auto service = origins.labels.find("service"); service != origins.labels.end())
      for (const auto& [value, profiles] : service->second.of) described_.services.insert(value);
    if (origins.window) widen(described_.window, {origins.window->begin, origins.window->end});
    return form(FileForm::kAddr);
  }
  Result<void> operator()(const StackContents& contents) {
    if (contents.format != Format::kPprof)
      return refuse("a stack profile in another form than pprof", "convert it to .pb.gz first");
    for (const BuildShare& build : contents.builds) add_build(file_, build.id);
    return form(file_.name.ends_with(".pgo") ? FileForm::kGoPgo : FileForm::kPprofGz);
  }
  Result<void> operator()(const ConversionReport& contents) {
    described_.reports = {contents};
    const ConversionReport::Provenance& provenance = contents.provenance;
    if (!provenance.service.empty()) described_.services.insert(provenance.service);
    described_.sources.insert(provenance.sources.begin(), provenance.sources.end());
    if (provenance.window)
      widen(described_.window, {provenance.window->first, provenance.window->second});
    return form(FileForm::kReportJson);
  }
  Result<void> operator()(const ElfContents& contents) {
    if (!contents.is_bolt_input)
      return refuse("no binary that llvm-bolt has yet to optimize",
                    "only llvm-bolt's input belongs to a profile");
    add_build(file_, contents.build_id);
    return form(FileForm::kPreboltElf);
  }
  Result<void> operator()(const RecordingContents&) {
    return refuse("a recording", "convert it first, or merge it into an address profile (.addr)");
  }
  Result<void> operator()(const DirectoryContents&) {
    return refuse("a directory", "name the files in it");
  }

 private:
  Result<void> form(FileForm form) {
    set_form(file_, form);
    return ok();
  }
  Result<void> refuse(const std::string& what, const std::string& advice) {
    return fail(ErrorKind::kUnsupported, described_.path + ": is " + what, advice);
  }

  DescribedFile& described_;
  ProfileFile& file_;
};

Result<void> describe_bundle(DescribedFile& described) {
  PGO_TRY(const Bundle bundle, parse_bundle(as_text(described.contents.bytes()), described.path));
  described.sources.insert(bundle.sources.begin(), bundle.sources.end());
  if (auto service = bundle.query.find("service"); service != bundle.query.end())
    described.services.insert(service->second);
  for (const BundleMember& member : bundle.members)
    if (member.window) widen(described.window, *member.window);
  set_form(described.file, FileForm::kBundleJson);
  return ok();
}

Result<void> describe_contents(DescribedFile& described, unsigned jobs) {
  if (described.file.name == kBundleName) return describe_bundle(described);
  if (described.file.name.ends_with(".md")) {
    const std::string_view text = as_text(described.contents.bytes());
    if (valid_utf8(text) != text)
      return fail(ErrorKind::kInput, described.path + ": is not UTF-8 text");
    set_form(described.file, FileForm::kSummaryMarkdown);
    return ok();
  }
  ShowRequest request;
  request.path = described.path;
  request.top = 0;
  request.jobs = jobs;
  PGO_TRY(const ShowResult shown, show(request));
  return std::visit(ContentsDescription(described), shown.contents);
}

Result<DescribedFile> describe(const std::string& path, unsigned jobs) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    return fail(ErrorKind::kUnsupported, path + ": is a directory", "name the files in it");
  if (!is_plain_file_name(file_name(path)))
    return fail(ErrorKind::kUsage, valid_utf8(path) + ": a file with this name cannot be pushed",
                "names are UTF-8 without control characters, at most 255 bytes");
  PGO_TRY(MappedFile contents, MappedFile::open(path));
  DescribedFile described(path, std::move(contents));
  described.file.name = file_name(path);
  described.file.size = described.contents.bytes().size();
  described.file.digest = Sha256::digest_of(described.contents.bytes());
  PGO_CHECK(describe_contents(described, jobs));
  return described;
}

// The samples of the one binary that a BOLT profile is for. Of branch records, a report has only
// those of all binaries together.
std::optional<uint64_t> samples_of_binary(const ConversionReport& report,
                                          const std::string& build_id) {
  const std::optional<BuildId> own = BuildId::from_hex(build_id);
  uint64_t samples = 0;
  bool is_alone = true;
  for (const ConversionReport::Binary& binary : report.binaries) {
    const std::optional<BuildId> id = BuildId::from_hex(binary.build_id);
    if (own && id && id->matches_bolted(*own))
      samples = saturating_add(samples, binary.samples);
    else if (binary.traces > 0)
      is_alone = false;
  }
  if (is_alone) return report.samples.used;
  return samples > 0 ? std::optional(samples) : std::nullopt;
}

// What a report says of one of the files that the conversion wrote. False for another file.
bool apply_report(const ConversionReport& report, ProfileFile& file, BinaryInReport& binary_of) {
  auto profile = std::find_if(report.profiles.begin(), report.profiles.end(),
                              [&](const auto& one) { return one.digest == file.digest; });
  if (profile == report.profiles.end()) return false;
  file.evidence = find_evidence(profile->evidence).value_or(Evidence::kUnknown);
  file.quality = find_quality(profile->quality).value_or(Quality::kUnknown);
  file.samples = profile->build_id.empty() ? report.samples.used
                                           : samples_of_binary(report, profile->build_id);
  file.density = profile->density;
  file.split_half_overlap = profile->split_half_overlap;
  if (file.kind == FileKind::kBolt) file.bolt_of = profile->build_id;
  for (const ConversionReport::Binary& binary : report.binaries) {
    if (!BuildId::from_hex(binary.build_id)) continue;
    if (profile->build_id.empty() || profile->build_id == binary.build_id)
      add_build(file, binary.build_id);
    if (file.kind == FileKind::kBolt && profile->build_id == binary.build_id)
      binary_of = {library_of_binary(binary.path), report.binaries.size() == 1};
  }
  std::sort(file.of_builds.begin(), file.of_builds.end());
  return true;
}

// Applies the reports that name `described`, and adds them to `used`. Several reports may name it
// if they agree. If they differed, the order of the arguments would choose between them.
Result<void> apply_reports_to(const std::vector<DescribedFile>& files, DescribedFile& described,
                              std::set<const ConversionReport*>& used) {
  std::optional<ProfileFile> reported;
  BinaryInReport binary;
  std::string by;
  for (const DescribedFile& one : files) {
    for (const ConversionReport& report : one.reports) {
      ProfileFile file = described.file;
      BinaryInReport its_binary;
      if (!apply_report(report, file, its_binary)) continue;
      if (reported && (file != *reported || its_binary != binary))
        return fail(ErrorKind::kInput,
                    by + " and " + one.path + ": contradict each other about " + described.path,
                    "push only the report of its conversion");
      reported = std::move(file);
      binary = std::move(its_binary);
      by = one.path;
      used.insert(&report);
    }
  }
  described.is_reported = reported.has_value();
  if (reported) described.file = *std::move(reported);
  described.binary = std::move(binary);
  return ok();
}

// Applies all reports. Warns of reports that name none of the files, and of profiles without one.
Result<void> apply_reports(std::vector<DescribedFile>& files, Diagnostics& diagnostics) {
  std::set<const ConversionReport*> used;
  for (DescribedFile& described : files) PGO_CHECK(apply_reports_to(files, described, used));
  bool has_report = false;
  for (const DescribedFile& one : files)
    for (const ConversionReport& report : one.reports) {
      has_report = true;
      if (!used.contains(&report) && files.size() > 1)
        diagnostics.warn("report-of-others",
                         one.path +
                             ": says nothing of the other files: none of them is an output that "
                             "it names; push the report of their own conversion");
    }
  if (!has_report) return ok();
  for (const DescribedFile& one : files) {
    const FileKind kind = one.file.kind;
    if (one.is_reported ||
        (kind != FileKind::kLlvm && kind != FileKind::kGcc && kind != FileKind::kBolt))
      continue;
    diagnostics.warn("no-report", one.path +
                                      ": no report says its quality and evidence; push the report "
                                      "of its conversion, too, under a name of its own");
  }
  return ok();
}

// "WORD", or "FILE=WORD" for one of the files.
Result<void> apply_configuration(const std::string& text, std::vector<DescribedFile>& files) {
  const size_t equals = text.rfind('=');
  const std::string path = equals == text.npos ? "" : text.substr(0, equals);
  const std::string word = text.substr(equals == text.npos ? 0 : equals + 1);
  if (!is_version_word(word, 128))
    return fail(ErrorKind::kUsage, "\xFF{configuration} " + text +
                                       ": a word expected, such as clang-lto, or FILE=WORD");
  bool is_used = false;
  for (DescribedFile& described : files) {
    if (!is_for_bolt(described.file) || (!path.empty() && described.path != path)) continue;
    described.file.configuration = word;
    is_used = true;
  }
  if (is_used) return ok();
  if (!path.empty() &&
      std::none_of(files.begin(), files.end(),
                   [&](const DescribedFile& described) { return described.path == path; }))
    return fail(ErrorKind::kUsage,
                "\xFF{configuration} " + text + ": '" + path + "' is none of the files to push",
                "name it as the argument does");
  return fail(ErrorKind::kUsage, "\xFF{configuration} " + text + ": " +
                                     (path.empty() ? "no file" : "'" + path + "'") +
                                     " is for BOLT, and the others fit every configuration");
}

Result<void> apply_libraries(const std::vector<std::string>& named,
                             std::vector<DescribedFile>& files, Diagnostics& diagnostics) {
  std::vector<LibraryFile> described;
  for (DescribedFile& file : files) described.push_back({file.path, &file.file, file.binary});
  return set_libraries(described, named, diagnostics);
}

Result<void> apply_bolt_of(const std::string& id, std::vector<DescribedFile>& files) {
  if (id.empty()) return ok();
  const std::optional<BuildId> build = BuildId::from_hex(id);
  if (!build || build->bytes().size() < BuildId::kMinSize)
    return fail(ErrorKind::kUsage,
                "\xFF{bolt-of} " + id + ": 16 hexadecimal digits or more expected");
  bool is_used = false;
  for (DescribedFile& described : files) {
    if (described.file.kind != FileKind::kBolt) continue;
    described.file.bolt_of = build->hex();
    is_used = true;
  }
  if (is_used) return ok();
  return fail(ErrorKind::kUsage, "\xFF{bolt-of} is for profiles for BOLT, and no file is one");
}

Result<void> check_names(const std::vector<DescribedFile>& files) {
  std::map<std::string, std::string> paths;
  for (const DescribedFile& described : files)
    if (auto [other, is_new] = paths.emplace(described.file.name, described.path); !is_new)
      return fail(ErrorKind::kUsage, other->second + " and " + described.path +
                                         " have the same name, and files of a version are told "
                                         "apart by it");
  return ok();
}

// A build takes the BOLT profile of its configuration and binary, and the recorded build beside it,
// so there is one of each. A BOLT profile may have several forms.
Result<void> check_bolt_files(const std::vector<DescribedFile>& files) {
  for (size_t i = 0; i < files.size(); i++)
    for (size_t j = 0; j < i; j++) {
      const ProfileFile &one = files[j].file, &other = files[i].file;
      if (!is_for_bolt(one) || one.kind != other.kind || one.configuration != other.configuration ||
          one.library != other.library || (!one.bolt_of.empty() && one.bolt_of == other.bolt_of))
        continue;
      const bool is_of_program = one.library.empty();
      return fail(
          ErrorKind::kUsage,
          files[j].path + " and " + files[i].path + ": are both " +
              (one.kind == FileKind::kBolt ? "BOLT profiles" : "recorded builds") + " of " +
              (is_of_program ? "the program" : one.library) +
              ", and a build could not choose between them",
          std::string("leave one out, or name ") +
              (is_of_program ? "the shared library that one is of with \xFF{library} FILE=NAME, or "
                             : "") +
              "the configuration of each with \xFF{configuration} FILE=WORD");
    }
  return ok();
}

// A build has one compiler, which reads one profile.
Result<void> check_compile_profiles(const std::vector<DescribedFile>& files) {
  for (const FileKind kind : {FileKind::kLlvm, FileKind::kGcc}) {
    const DescribedFile* first = nullptr;
    for (const DescribedFile& one : files) {
      if (one.file.kind != kind) continue;
      if (first != nullptr)
        return fail(ErrorKind::kUsage,
                    first->path + " and " + one.path + " are both profiles for " +
                        (kind == FileKind::kLlvm ? "clang" : "GCC") + "; a build can use only one",
                    "push each as a version of its own, or make one profile of all recordings "
                    "with pgo convert");
      first = &one;
    }
  }
  return ok();
}

void add_origin(const std::vector<DescribedFile>& files, const std::string& service,
                ProfileVersion& version) {
  std::set<std::string> services, sources;
  for (const DescribedFile& described : files) {
    services.insert(described.services.begin(), described.services.end());
    sources.insert(described.sources.begin(), described.sources.end());
    if (described.window) widen(version.window, *described.window);
  }
  version.service = !service.empty() ? service : services.size() == 1 ? *services.begin() : "";
  version.sources.assign(sources.begin(), sources.end());
}

bool is_profile(FileKind kind) {
  return kind == FileKind::kLlvm || kind == FileKind::kGcc || kind == FileKind::kBolt ||
         kind == FileKind::kGo || kind == FileKind::kAddress || kind == FileKind::kPprof;
}

void warn_of_missing(const std::vector<DescribedFile>& files, Diagnostics& diagnostics) {
  if (std::none_of(files.begin(), files.end(),
                   [](const DescribedFile& one) { return is_profile(one.file.kind); })) {
    std::string paths;
    for (const DescribedFile& one : files) paths += (paths.empty() ? "" : ", ") + one.path;
    diagnostics.warn("no-profile", "the version has no profile, only " + paths +
                                       ", so builds cannot use it; push the profile, too");
  }
  for (const DescribedFile& described : files)
    if (described.file.kind == FileKind::kBolt && described.file.bolt_of.empty())
      diagnostics.warn("unknown-bolt-input",
                       described.path +
                           ": does not say which binary it fits: \xFF{bolt-of}, or the "
                           "report of its conversion, would");
}

}  // namespace

bool is_generation_name(std::string_view name) {
  const size_t dot = name.rfind('.');
  if (dot == name.npos) return false;
  const std::string_view extension = name.substr(dot), stem = name.substr(0, dot);
  const size_t number = stem.find_last_not_of("0123456789") + 1;
  return (extension == ".prof" || extension == ".proftext") && number < stem.size() &&
         stem.substr(0, number).ends_with(".generation-");
}

Result<DescribedFiles> describe_files(const DescriptionRequest& request) {
  std::vector<DescribedFile> files;
  for (const std::string& path : request.files) {
    PGO_TRY(DescribedFile described, describe(path, request.jobs));
    files.push_back(std::move(described));
  }
  PGO_CHECK(check_names(files));
  DescribedFiles result;
  PGO_CHECK(apply_reports(files, result.diagnostics));
  for (const std::string& text : request.configurations)
    PGO_CHECK(apply_configuration(text, files));
  PGO_CHECK(apply_bolt_of(request.bolt_of, files));
  PGO_CHECK(apply_libraries(request.library_files, files, result.diagnostics));
  PGO_CHECK(check_bolt_files(files));
  PGO_CHECK(check_compile_profiles(files));
  for (DescribedFile& described : files)
    for (const std::string& build : described.file.of_builds)
      if (request.libraries.contains(build)) described.file.of_libraries.push_back(build);
  warn_of_missing(files, result.diagnostics);
  add_origin(files, request.service, result.version);
  result.version.inputs = request.inputs;
  for (const DescribedFile& described : files) result.version.files.push_back(described.file);
  normalize(result.version);
  for (const ProfileFile& file : result.version.files)
    for (DescribedFile& described : files)
      if (described.file.name == file.name)
        result.contents.push_back(std::move(described.contents));
  return result;
}

}  // namespace pgo
