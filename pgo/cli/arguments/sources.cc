#include "pgo/cli/arguments/sources.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "pgo/base/directory_lock.h"
#include "pgo/cli/terminal/messages.h"
#include "pgo/cli/terminal/progress_line.h"
#include "pgo/fetch/fetch.h"
#include "pgo/report/fetch_report.h"
#include "pgo/source/blob_cache.h"
#include "pgo/source/directory_source.h"
#include "pgo/source/name_labels.h"
#include "pgo/source/path_template.h"
#include "pgo/source/profile_key.h"
#include "pgo/source/source_address.h"

#ifdef PRODPGO_NETWORK
#include "pgo/stores/live/live_source.h"
#include "pgo/stores/parca/parca_source.h"
#include "pgo/stores/profefe/profefe_source.h"
#include "pgo/stores/pyroscope/pyroscope_source.h"
#include "pgo/stores/s3/s3_source.h"
#endif

namespace pgo {
namespace {

namespace fs = std::filesystem;

constexpr size_t kPlaces = 1000;  // for inputs of processes that run at once

constexpr const char* kKnownSources =
    "a path, dir:PATH, s3://BUCKET/PREFIX, pprof+http://HOST:PORT/debug/pprof/profile, "
    "parca+http://HOST:PORT, pyroscope+http://HOST:PORT, or profefe+http://HOST:PORT";

[[maybe_unused]] std::string variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? "" : value;
}

#ifdef PRODPGO_NETWORK
Result<std::unique_ptr<Source>> open_store(const std::string& text, const SourceAddress& address,
                                           const NetworkArguments& arguments) {
  if (address.scheme == "s3") return s3::open_s3_source(text, variable, http_options(arguments));
  if (pyroscope::is_pyroscope(text))
    return pyroscope::open_pyroscope(text, variable, http_options(arguments));
  if (parca::is_parca(text)) return parca::open_parca(text, variable, http_options(arguments));
  if (profefe::is_profefe(text)) return profefe::open_profefe(text, http_options(arguments));
  live::LiveOptions options{.http = http_options(arguments)};
  PGO_TRY(options.token, live::LiveToken::parse(variable(live::kTokenVariable),
                                                variable(live::kTokenHostsVariable)));
  return live::open_live_hosts(text, options);
}
#else
Result<std::unique_ptr<Source>> open_store(const std::string&, const SourceAddress& address,
                                           const NetworkArguments&) {
  return fail(ErrorKind::kUnsupported,
              address.shown + ": this pgo was built without network (PRODPGO_NETWORK=OFF)",
              "copy the profiles to this machine, and name their directory");
}
#endif

// Without a template, the names that 'pgo upload' gives tell labels.
Result<std::unique_ptr<Source>> open_directory_source(const std::string& path,
                                                      const std::string& path_template) {
  PGO_TRY(std::unique_ptr<Source> directory,
          DirectorySource::open(path, {.path_template = path_template}));
  return path_template.empty() ? with_profile_keys(std::move(directory)) : std::move(directory);
}

bool needs_network(const std::string& scheme) {
  static constexpr std::string_view kOverHttp[] = {"parca", "pprof", "profefe", "pyroscope"};
  const std::string_view kind = std::string_view(scheme).substr(0, scheme.find("+http"));
  const bool is_http = scheme.ends_with("+http") || scheme.ends_with("+https");
  return scheme == "s3" || (is_http && std::find(std::begin(kOverHttp), std::end(kOverHttp),
                                                 kind) != std::end(kOverHttp));
}

void remove_contents(const std::string& directory) {
  std::error_code error;
  for (fs::directory_iterator at(directory, error), end; !error && at != end; at.increment(error)) {
    std::error_code ignored;
    fs::remove_all(at->path(), ignored);
  }
}

// "s3://profiles/queryd" as the name of a directory, which messages and outputs show.
std::string directory_name(const std::string& shown) {
  constexpr size_t kMaxDirectoryName = 100;
  std::string name;
  for (char c : shown.substr(0, kMaxDirectoryName)) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '+';
    if (is_plain || !name.ends_with('_')) name += is_plain ? c : '_';
  }
  return name;
}

// Where conditions choose a file of a version only.
Result<void> refuse_labels(const std::string& input) {
  PGO_TRY(const std::optional<VersionInput> version, parse_version_input(input));
  if (!version || version->others.empty()) return ok();
  return fail(ErrorKind::kUsage, version->text + ": takes no condition '" + version->others +
                                     "' here; 'kind=', 'file=' and 'configuration=' choose a file");
}

}  // namespace

Result<std::unique_ptr<Source>> open_source(const std::string& text,
                                            const SourceArguments& arguments) {
  const std::optional<SourceAddress> address = parse_source_address(text);
  if (!address) return open_directory_source(text, arguments.path_template);
  if (address->scheme == "dir")
    return open_directory_source(address->rest, arguments.path_template);
  if (needs_network(address->scheme)) {
    if (arguments.path_template.empty()) {
      PGO_TRY(std::unique_ptr<Source> store, open_store(text, *address, arguments.network));
      return address->scheme == "s3" ? with_profile_keys(std::move(store)) : std::move(store);
    }
    if (address->scheme != "s3")
      return fail(
          ErrorKind::kUsage,
          address->shown +
              ": --path-template takes labels from paths, and live hosts and profile stores have "
              "no paths",
          "leave it out, or fetch them separately first");
    PGO_TRY(PathTemplate form, PathTemplate::parse(arguments.path_template));
    PGO_TRY(std::unique_ptr<Source> store, open_store(text, *address, arguments.network));
    std::string root = store->name().substr(std::string_view("s3://").size());
    return with_name_labels(std::move(store), {std::move(form), std::move(root)});
  }
  return fail(ErrorKind::kUsage, address->shown + ": unknown kind of source '" + address->scheme +
                                     "'; expected " + kKnownSources);
}

FetchLimits fetch_limits(const FetchConfig& of_file) {
  FetchLimits limits;
  limits.profiles = of_file.profiles;
  limits.hosts = of_file.hosts;
  limits.samples = of_file.samples;
  if (of_file.overlap) limits.overlap = *of_file.overlap / 100;
  if (of_file.missing) limits.missing = *of_file.missing / 100;
  return limits;
}

Result<void> FetchedInputs::begin() {
  if (!directory_.empty()) return ok();
  PGO_TRY(const std::optional<Config> config, load_config(config_));
  if (config) limits_ = fetch_limits(config->fetch);
  PGO_TRY(cache_, default_cache_directory());
  // Also makes the directory.
  PGO_CHECK([&]() -> Result<void> {
    PGO_TRY(BlobCache cache, BlobCache::open(cache_));
    return ok();
  }());
  // The first place that no other process has: so the same command names the same paths again.
  const std::string parent = cache_ + "/inputs";
  std::error_code error;
  for (size_t place = 0; place < kPlaces; place++) {
    const std::string path = parent + "/" + std::to_string(place);
    fs::create_directories(path, error);
    if (error)
      return fail(ErrorKind::kIo, "cannot make the directory " + path + ": " + error.message(),
                  "set " + std::string(kCacheVariable) + " to another");
    lock_ = try_lock_directory(path);
    if (!lock_) continue;
    remove_contents(path);  // of a process that was killed
    directory_ = path;
    return ok();
  }
  return fail(ErrorKind::kIo, parent + ": " + std::to_string(kPlaces) +
                                  " other processes fetch their inputs into this directory");
}

std::string FetchedInputs::next_directory(const std::string& shown) {
  return directory_ + "/" + std::to_string(count_++) + "_" + directory_name(shown);
}

Result<std::optional<VersionInputRequest>> FetchedInputs::version_request(
    const std::string& input, std::vector<FileKind> kinds) {
  PGO_TRY(std::optional<VersionInput> version, parse_version_input(input));
  if (!version) return std::optional<VersionInputRequest>();
  PGO_CHECK(begin());
  return std::optional(VersionInputRequest{*std::move(version), std::move(kinds),
                                           registry_opener(registry_), cache_, /*binary=*/""});
}

// Conditions on labels stay behind the path.
Result<PulledInput> FetchedInputs::pull_version(const VersionInputRequest& request,
                                                Placement placement, std::string& input) {
  PGO_TRY(PulledInput pulled, pull_input(request));
  print_warnings(pulled.diagnostics);
  PGO_TRY(std::string path, place_input(pulled, next_directory(request.input.text), placement));
  replaced_[input] = path;
  const std::string& others = request.input.others;
  input = path + (others.empty() ? "" : "#" + others);
  return pulled;
}

Result<void> FetchedInputs::replace_version(std::string& input, const std::vector<FileKind>& kinds,
                                            Placement placement) {
  PGO_TRY(const std::optional<VersionInputRequest> request, version_request(input, kinds));
  if (request) PGO_CHECK(pull_version(*request, placement, input));
  return ok();
}

Result<void> FetchedInputs::fetch_input(std::string& input, const std::string& path_template) {
  const std::optional<SourceAddress> address = parse_source_address(input);
  if (!address) return ok();
  PGO_CHECK(begin());
  PGO_TRY(std::unique_ptr<Source> source,
          open_source(input, {.path_template = path_template, .network = registry_.network}));
  FetchRequest request;
  request.sources = {source.get()};
  request.cache = cache_;
  request.path_template = path_template;
  request.limits = limits_;
  // Whoever names an input wants to see all that it has.
  request.old_builds = OldBuildAction::kKeep;
  request.output = next_directory(address->shown);
  PGO_TRY(FetchResult result, with_progress(request.progress, [&] { return fetch(request); }));
  print(fetch_messages(result));
  if (!result.failed_limits.empty())
    return fail(ErrorKind::kMismatch,
                address->shown +
                    ": is not used, because it does not keep the limits of [fetch] in "
                    "pgo.toml");
  replaced_[input] = request.output;
  input = request.output;
  return ok();
}

Result<void> FetchedInputs::replace_by_file(std::string& input,
                                            const std::vector<FileKind>& kinds) {
  PGO_CHECK(refuse_labels(input));
  return replace_version(input, kinds, Placement::kFile);
}

Result<void> FetchedInputs::replace_bolt_profile(std::string& input, const std::string& binary,
                                                 std::string& recorded_build) {
  PGO_CHECK(refuse_labels(input));
  PGO_TRY(std::optional<VersionInputRequest> request, version_request(input, {FileKind::kBolt}));
  if (!request) return ok();
  request->binary = binary;
  PGO_TRY(const PulledInput profile, pull_version(*request, Placement::kFile, input));
  if (!recorded_build.empty()) return ok();
  PGO_TRY(const std::optional<PulledInput> build, pull_recorded_build(*request, profile));
  if (!build) return ok();
  const std::string& shown = request->input.text;
  PGO_TRY(recorded_build, place_input(*build, next_directory(shown), Placement::kFile));
  print_note(shown + ": " + build->file.file.name + " is the recorded build of " +
             profile.file.file.name);
  return ok();
}

Result<void> FetchedInputs::replace(std::string& input, const std::vector<FileKind>& kinds) {
  PGO_CHECK(refuse_labels(input));
  PGO_CHECK(replace_version(input, kinds, Placement::kBundle));
  const size_t hash = std::min(input.find('#'), input.size());
  const std::optional<SourceAddress> address = parse_source_address(input.substr(0, hash));
  if (address && hash < input.size())
    return fail(ErrorKind::kUsage, address->shown + ": takes no conditions after '#' here",
                "choose profiles with 'pgo fetch', and name the bundle");
  return fetch_input(input, {});
}

Result<void> FetchedInputs::replace(std::vector<std::string>& inputs,
                                    const std::vector<FileKind>& kinds) {
  for (std::string& input : inputs) PGO_CHECK(replace(input, kinds));
  return ok();
}

Result<void> FetchedInputs::replace_side(std::vector<std::string>& inputs,
                                         const std::string& path_template) {
  for (std::string& input : inputs) {
    PGO_CHECK(replace_version(input, {FileKind::kAddress, FileKind::kPprof, FileKind::kGo},
                              Placement::kBundle));
    const size_t hash = std::min(input.find('#'), input.size());
    const std::optional<SourceAddress> address = parse_source_address(input.substr(0, hash));
    if (!address) continue;
    const std::string conditions = input.substr(hash);
    for (const char* window : {"#from=", "#to=", "#last=", ",from=", ",to=", ",last="})
      if (conditions.find(window) != conditions.npos)
        return fail(ErrorKind::kUsage,
                    address->shown + ": conditions after '#' are about labels, and not a window",
                    "choose it with 'pgo fetch --last 7d', say, and name the bundle");
    input.resize(hash);
    PGO_CHECK(fetch_input(input, path_template));
    input += conditions;
  }
  return ok();
}

std::string FetchedInputs::replaced(const std::string& input) const {
  auto found = replaced_.find(input);
  return found == replaced_.end() ? input : found->second;
}

FetchedInputs::~FetchedInputs() {
  if (!directory_.empty()) remove_contents(directory_);
}

}  // namespace pgo
