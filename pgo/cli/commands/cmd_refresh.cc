// pgo refresh: the command line of refresh() (pgo/refresh/refresh.h), for each service of pgo.toml.

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "pgo/base/atomic_file.h"
#include "pgo/base/clock.h"
#include "pgo/base/deferred_termination.h"
#include "pgo/base/mapped_file.h"
#include "pgo/cli/arguments/command_line.h"
#include "pgo/cli/arguments/services.h"
#include "pgo/cli/arguments/shared_options.h"
#include "pgo/cli/arguments/signature_keys.h"
#include "pgo/cli/commands/commands.h"
#include "pgo/cli/terminal/exit_code.h"
#include "pgo/cli/terminal/messages.h"
#include "pgo/cli/terminal/option_words.h"
#include "pgo/cli/terminal/progress_line.h"
#include "pgo/cli/terminal/written_files.h"
#include "pgo/lock_diff/lock_diff.h"
#include "pgo/refresh/refresh.h"
#include "pgo/refresh/service_check.h"
#include "pgo/report/convert_report.h"
#include "pgo/report/error_json.h"
#include "pgo/report/json_text.h"
#include "pgo/report/refresh_report.h"

namespace pgo {
namespace {

constexpr const char* kDefaultSummary = "summary.md";

struct RefreshArguments {
  ServiceArguments services;
  std::optional<std::string> summary;  // kDefaultSummary beside pgo.toml
  std::string sign, report, perf2bolt;
  unsigned jobs = 0;
  bool dry_run = false, json = false;
};

// One run of the command.
class RefreshRun {
 public:
  explicit RefreshRun(const RefreshArguments& arguments) : arguments_(arguments) {}

  Result<ExitCode> run();

 private:
  Result<void> prepare();
  Result<void> check_outputs() const;
  Result<RefreshResult> refresh_service(const ServiceConfig& service);
  Result<void> remember_lock(const std::string& lock);
  Result<void> remember_summary();
  Result<void> write_first_summary(RefreshResult& pinned);
  Result<void> take_back_summary() const;
  Result<std::string> summary();
  nlohmann::json json() const;

  const RefreshArguments& arguments_;
  ConfiguredServices configured_;
  std::string cache_;
  std::string summary_path_;  // empty: none is wanted
  std::optional<minisign::SecretKey> key_;
  std::optional<std::string> earlier_summary_;  // of an earlier run
  std::map<std::string, LockSide> locks_;       // as they were, by path
  std::vector<RefreshResult> results_;
  nlohmann::json services_ = nlohmann::json::array();
};

Result<RefreshResult> RefreshRun::refresh_service(const ServiceConfig& service) {
  PGO_TRY(const BlobCache cache, BlobCache::open(cache_));
  PGO_TRY(const OpenedService opened, open_service(service, arguments_.services, cache));
  RefreshRequest request;
  request.service = service;
  for (const auto& source : opened.sources) request.sources.push_back(source.get());
  for (const auto& archive : opened.archives) request.archives.push_back(archive.get());
  request.registry = opened.registry;
  request.lock = service.lock.text;
  request.open = registry_opener(arguments_.services.registry);
  if (key_) request.signer = &*key_;
  request.limits = configured_.limits;
  if (const int64_t now = time_now(); service.last > 0)
    request.window = TimeWindow{now - std::min(service.last, now), now};
  request.cache = cache_;
  request.tool_version = program_version();
  request.conversion_report = [](const ConvertResult& result) {
    return json_text(json_with_option_words(convert_json(result)));
  };
  if (arguments_.dry_run) request.mode = RefreshMode::kDryRun;
  request.perf2bolt = arguments_.perf2bolt;
  request.jobs = arguments_.jobs;
  bool is_summarized = false;
  if (!summary_path_.empty())
    request.before_pin = [&](RefreshResult& result) {
      is_summarized = true;
      return write_first_summary(result);
    };
  Result<RefreshResult> result = with_progress(request.progress, [&] { return refresh(request); });
  if (!result && is_summarized) PGO_CHECK(take_back_summary());
  if (!result) return fail(error_of_service(service, result.error()));
  return result;
}

Result<void> RefreshRun::remember_lock(const std::string& lock) {
  if (locks_.contains(lock)) return ok();
  Diagnostics diagnostics;
  PGO_TRY(LockSide side, read_working_lock(lock, diagnostics));
  print_warnings(with_option_words(diagnostics));
  locks_.emplace(lock, std::move(side));
  return ok();
}

Result<void> RefreshRun::remember_summary() {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(summary_path_, ignored)) return ok();
  PGO_TRY(const MappedFile file, MappedFile::open(summary_path_));
  earlier_summary_ = as_text(file.bytes());
  return ok();
}

// All that can be known before the first service is pinned.
Result<void> RefreshRun::prepare() {
  PGO_TRY(configured_, load_services(arguments_.services));
  for (const ServiceConfig& service : configured_.services) PGO_CHECK(check_service(service));
  PGO_TRY(cache_, default_cache_directory());
  if (!arguments_.sign.empty()) {
    PGO_TRY(key_, secret_key_argument(arguments_.sign));
  }
  summary_path_ = arguments_.summary.value_or(
      (std::filesystem::path(configured_.directory) / kDefaultSummary).string());
  PGO_CHECK(check_outputs());
  PGO_CHECK(remember_summary());
  for (const ServiceConfig& service : configured_.services)
    PGO_CHECK(remember_lock(service.lock.text));
  return ok();
}

Result<void> RefreshRun::check_outputs() const {
  if (!summary_path_.empty() && !arguments_.dry_run)
    PGO_CHECK(AtomicFile::check_writable(summary_path_));
  if (!arguments_.report.empty()) PGO_CHECK(AtomicFile::check_writable(arguments_.report));
  return ok();
}

Result<void> write_unless_pipe(const std::string& path, const std::string& text) {
  const DeferredTermination termination;
  PGO_TRY(AtomicFile file, AtomicFile::write(path, text));
  const bool is_pipe = file.temporary().empty();  // which gets the whole text at the end
  return is_pipe ? ok() : file.commit();
}

// Texts with the names of options; before a form escapes the marks.
void put_option_words(RefreshResult& result) {
  result.diagnostics = with_option_words(result.diagnostics);
  for (GateResult& gate : result.gates) gate.reason = with_option_words(gate.reason);
}

// Just before each pin, so that the summary of an earlier run is never beside the new pgo.lock,
// whenever this run is killed and whatever happens to the services that follow. What changed in
// lock files is added at the end.
Result<void> RefreshRun::write_first_summary(RefreshResult& pinned) {
  put_option_words(pinned);
  results_.push_back(std::move(pinned));
  const std::string text = with_option_words(refresh_markdown(results_, {}));
  pinned = std::move(results_.back());
  results_.pop_back();
  return write_unless_pipe(summary_path_, text);
}

// Of a pin that could not be made.
Result<void> RefreshRun::take_back_summary() const {
  const bool is_any_pinned = std::any_of(
      results_.begin(), results_.end(),
      [](const RefreshResult& result) { return result.outcome == RefreshOutcome::kPinned; });
  if (is_any_pinned)
    return write_unless_pipe(summary_path_, with_option_words(refresh_markdown(results_, {})));
  if (earlier_summary_) return write_unless_pipe(summary_path_, *earlier_summary_);
  std::error_code ignored;
  if (std::filesystem::is_regular_file(summary_path_, ignored))
    std::filesystem::remove(summary_path_, ignored);
  return ok();
}

Result<std::string> RefreshRun::summary() {
  std::vector<LockDiffResult> changes;
  for (const auto& [lock, before] : locks_) {
    Diagnostics diagnostics;
    LockDiffRequest request;
    request.before = before;
    PGO_TRY(request.after, read_working_lock(lock, diagnostics));
    request.cache = cache_;
    request.wants_pull = true;
    request.open = registry_opener(arguments_.services.registry);
    LockDiffResult change = diff_locks(request);
    change.diagnostics = with_option_words(change.diagnostics);
    if (!change.changes.empty()) changes.push_back(std::move(change));
  }
  return with_option_words(refresh_markdown(results_, changes));
}

nlohmann::json RefreshRun::json() const { return {{"services", services_}}; }

Result<ExitCode> RefreshRun::run() {
  PGO_CHECK(prepare());
  ExitCode code = kExitDone;
  std::string text;
  bool is_any_pinned = false;
  for (const ServiceConfig& service : configured_.services) {
    Result<RefreshResult> result = refresh_service(service);
    if (!result) {  // the others may succeed
      const Error& error = result.error();
      report_error(error);
      nlohmann::json object = error_json(error);
      object["service"] = service.name;
      services_.push_back(std::move(object));
      code = kExitError;
      continue;
    }
    print(refresh_messages(*result));
    put_option_words(*result);
    text += refresh_text(*result);
    services_.push_back(refresh_json(*result));
    if (result->outcome == RefreshOutcome::kRefused && code == kExitDone) code = kExitNo;
    results_.push_back(*std::move(result));
    is_any_pinned |= results_.back().outcome == RefreshOutcome::kPinned;
  }

  MadeFiles files;
  if (is_any_pinned && !summary_path_.empty()) {
    PGO_TRY(std::string markdown, summary());
    files.add(summary_path_, std::move(markdown));
  }
  const std::string json_of_run = json_text(json_with_option_words(json()));
  if (!arguments_.report.empty()) files.add(arguments_.report, json_of_run);
  files.add("-", arguments_.json ? json_of_run : text);
  PGO_CHECK(write_files(files.files()));
  return code;
}

}  // namespace

void declare_refresh(CommandLine& line) {
  auto options = std::make_shared<RefreshArguments>();
  add_service_options(line, options->services);
  line.flag("--dry-run", options->dry_run, "Show what would happen, without pushing or pinning");
  line.option(
          "--summary", options->summary,
          "If anything was pinned, write the text of a pull request here (Markdown); '' for none\n"
          "(default: summary.md beside pgo.toml)")
      .type_name("FILE")
      .group(kOutputGroup);
  line.option("--sign", options->sign, "Sign each version with this minisign secret key")
      .type_name("KEYFILE")
      .group(kSignatureGroup);
  add_perf2bolt_option(line, options->perf2bolt);
  add_report_option(line, options->report);
  add_json_option(line, options->json);
  add_registry_options(line, options->services.registry);
  add_jobs_option(line, options->jobs);
  line.footer(
      "For each service of pgo.toml ('pgo init' writes one), it\n"
      "  1. fetches the profiles of the time window,\n"
      "  2. looks for the recorded programs in the archives, by build ID,\n"
      "  3. converts the profiles for the compiler and for BOLT,\n"
      "  4. checks the result against the gates,\n"
      "  5. pushes it to the registry as a version, and pins this version in pgo.lock.\n"
      "If the profiles and programs are those of the pinned version, it changes nothing. After an\n"
      "interruption, run it again.\n"
      "Exit code: 0 when each service is pinned or needs no new profile, 1 when a gate failed "
      "(the\n"
      "pin of that service stays), 2 for errors.\n"
      "Examples:\n"
      "  pgo refresh\n"
      "  pgo refresh --service queryd --dry-run\n"
      "  pgo refresh --json --report refresh.json --sign release.key");
  line.run([options] { return report_any_failure(RefreshRun(*options).run(), options->json); });
}

}  // namespace pgo
