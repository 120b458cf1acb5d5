// pgo bolt: a binary laid out anew by llvm-bolt, or, when anything is wrong, the binary as it was.
// run() reads as the steps. Nothing takes the place of OUT before it has been checked; what the
// user wrote wrongly is an error at once, what goes wrong after that follows --on-failure.

#include <sys/stat.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "bolt/bolt_check.h"
#include "bolt/bolt_fitness.h"
#include "bolt/llvm_bolt.h"
#include "bolt/loader_start.h"
#include "bolt/preaggregated.h"
#include "converters/llvm_sample/profile_digest.h"
#include "converters/perf_data/perf_data_reader.h"
#include "pgo/base/atomic_file.h"
#include "pgo/base/end_requests.h"
#include "pgo/base/subprocess.h"
#include "pgo/cli/bolt_profile.h"
#include "pgo/cli/bolt_report.h"
#include "pgo/cli/command.h"
#include "pgo/cli/elf_facts.h"
#include "pgo/cli/file_kind.h"
#include "pgo/cli/funnel.h"
#include "pgo/cli/input_files.h"
#include "pgo/cli/json_text.h"
#include "pgo/cli/option_checks.h"
#include "pgo/cli/output_paths.h"
#include "pgo/profile/accounting.h"
#include "pgo/symbolize/debug_file.h"

namespace pgo {
namespace {

enum class OnFailure { kKeep, kError };
enum class AddressTranslationTable { kWrite, kLeaveOut };

struct BoltOptions {
  std::string input;
  std::vector<std::string> profiles;
  std::string recorded;
  std::string stale;  // the build that the profile is of; empty: input
  std::string output;
  std::string check;
  OnFailure on_failure = OnFailure::kKeep;
  AddressTranslationTable table = AddressTranslationTable::kWrite;
  unsigned timeout = kMostForBoltTool.count();  // seconds, for each program that is run
  std::string llvm_bolt;
  std::string perf2bolt;
  std::string log;
  unsigned jobs = 0;
  bool json = false;
  std::vector<std::string> extra;  // llvm-bolt's

  const std::string& profiled() const { return stale.empty() ? input : stale; }
  std::chrono::seconds most() const { return std::chrono::seconds(timeout); }
};

// More of the samples than this in functions with other code: the profile is of another build,
// though it does not say so. (A few are so in the right build.)
constexpr double kMostStale = 0.5;
constexpr double kMuchStale = 0.25;  // already worth saying what to do

// Then, with --stale, at least this much of those functions' blocks must be the same in both
// builds. Blocks that are merely alike are found in any two programs, those that are the same, with
// the same around them, are not; between -O1 and -O2 of one program they are a tenth.
constexpr double kLeastExact = 0.05;

constexpr uint64_t kHugePage = uint64_t{2} << 20;

uint64_t code_size(const ElfImage& image) {
  uint64_t size = 0;
  for (const ElfImage::Section& section : image.sections())
    if (section.allocated && section.executable) size = saturating_add(size, section.size);
  return size;
}

// Would writing `output` replace this profile? A directory may also hold what an earlier run wrote.
bool replaces(const std::string& output, const InputFile& profile) {
  if (!is_same_file(output, profile.path)) return false;
  if (!profile.from_directory) return true;
  Result<MappedFile> file = MappedFile::open(profile.path);
  return file && (perf_data::is_perf_data(file->bytes()) || is_preaggregated(file->bytes()));
}

Result<void> check_nothing_replaced(const BoltOptions& options) {
  PGO_TRY(std::vector<InputFile> read, find_input_files(options.profiles));
  for (const std::string& file : {options.recorded, options.stale})
    if (!file.empty()) read.push_back({file});
  for (const InputFile& file : read)
    if (replaces(options.output, file))
      return fail(ErrorKind::kUsage,
                  "-o " + options.output + " would replace " + file.path + ", which is read");
  read.push_back({options.input});
  for (const InputFile& file : read)
    if (replaces(options.log, file))
      return fail(ErrorKind::kUsage,
                  "--log " + options.log + " would replace " + file.path + ", which is read");
  return ok();
}

Result<void> check_log(const BoltOptions& options) {
  if (options.log.empty()) return ok();
  if (options.log == "-")
    return fail(ErrorKind::kUsage, "--log -: a file is needed: the figures go to standard output");
  if (identity_of(options.log) == identity_of(options.output))
    return fail(ErrorKind::kUsage, options.output + " would be written twice, by -o and by --log");
  return AtomicFile::check_writable(options.log);
}

Result<void> check_command_line(const BoltOptions& options) {
  for (const std::string& option : options.extra) {
    std::string_view name = bolt_option_name(option);
    if (name.empty())
      return fail(ErrorKind::kUsage,
                  option + ": what follows -- are llvm-bolt's options, written as -name=value");
    for (std::string_view ours : {"o", "data", "data2", "b", "p", "w"})
      if (name == ours)
        return fail(ErrorKind::kUsage, option + ": 'pgo bolt' gives llvm-bolt its files itself");
    if (name.starts_with("instrument"))
      return fail(ErrorKind::kUsage, option +
                                         ": an instrumented program is not an optimised one; run "
                                         "llvm-bolt itself for that");
  }
  if (!options.check.empty() && options.check.find("{}") == std::string::npos)
    return fail(ErrorKind::kUsage,
                "--check '" + options.check + "': has no {} for the path of what is to be checked");
  PGO_CHECK(check_nothing_replaced(options));
  PGO_CHECK(check_log(options));
  std::error_code ignored;
  bool exists = std::filesystem::exists(options.output, ignored);
  if (options.output == "-" ||
      (exists && !std::filesystem::is_regular_file(options.output, ignored)))
    return fail(ErrorKind::kUsage, "-o " + options.output + ": a file is needed, to be checked");
  return AtomicFile::check_writable(options.output);
}

Result<void> check_input(const ElfImage& input, const BoltOptions& options) {
  std::optional<BoltObstacle> obstacle = find_bolt_obstacle(input);
  if (!obstacle) return ok();
  bool without =
      std::any_of(options.extra.begin(), options.extra.end(),
                  [](const std::string& option) { return bolt_option_name(option) == "relocs"; });
  if (obstacle->kind == BoltObstacle::Kind::kNoRelocations && without) return ok();
  return fail(ErrorKind::kUnsupported,
              input.path() + ": " + obstacle->what + "; " + obstacle->advice);
}

Result<void> check_extra_options(const LlvmBolt& tool, const std::vector<std::string>& extra) {
  for (const std::string& option : extra)
    if (!tool.abilities.has(bolt_option_name(option)))
      return fail(ErrorKind::kUsage,
                  tool.program + " (LLVM " + tool.version + ") has no option " + option);
  return ok();
}

// In a word that a shell takes as it is.
std::string quoted(const std::string& word) {
  std::string text = "'";
  for (char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

Result<void> check_loads(const ElfImage& input, const ElfImage& candidate,
                         const BoltOptions& options, BoltReport& report) {
  PGO_TRY(LoaderStart before, start_loader(input, "", options.most()));
  if (!before.possible || !before.loads) {
    report.checks.push_back(
        {"loader", before.possible ? "skipped: the input does not load here: " + before.words
                                   : "skipped: needs no loader, or none that this system has"});
    return ok();
  }
  PGO_TRY(LoaderStart after, start_loader(candidate, before.library_path(), options.most()));
  if (!after.loads) return fail(ErrorKind::kMismatch, "the result does not load: " + after.words);
  if (after.unresolved != before.unresolved)
    return fail(ErrorKind::kMismatch,
                "the result does not load as its input does: other symbols are undefined");
  report.checks.push_back({"loader", "passed"});
  return ok();
}

Result<void> check_runs(const std::string& path, const BoltOptions& options, BoltReport& report) {
  if (options.check.empty()) return ok();
  std::string command;
  std::string word = quoted(std::filesystem::absolute(path).string());
  for (size_t at = 0; at < options.check.size();) {
    bool here = options.check.compare(at, 2, "{}") == 0;
    command += here ? word : options.check.substr(at, 1);
    at += here ? 2 : 1;
  }
  PGO_TRY(Finished finished, run_subprocess_within(options.most(), {"/bin/sh", "-c", command}));
  std::string what = "the result does not pass --check '" + options.check + "': ";
  if (finished.timed_out)
    return fail(ErrorKind::kMismatch, what + "it did not end within " +
                                          std::to_string(options.timeout) +
                                          " s (--timeout; in CMake: BOLT_TIMEOUT)");
  if (finished.exit_status > 128)
    return fail(ErrorKind::kMismatch, what + "signal " +
                                          std::to_string(finished.exit_status - 128) + ": " +
                                          last_words(finished));
  if (finished.exit_status != 0)
    return fail(ErrorKind::kMismatch, what + "exit status " + std::to_string(finished.exit_status) +
                                          ": " + last_words(finished));
  report.checks.push_back({"command", "passed"});
  return ok();
}

std::string describe_stale(const BoltLog& log, const std::string& binary) {
  BoltLog::Share stale = log.stale_share();
  return format_percent(stale.part, stale.whole) +
         " of the profile's samples are in functions that have other code in " + binary;
}

// Is the profile of `binary`, by llvm-bolt's own account? Its words differ between versions, and
// what it does not say is not known. `advice` is for a profile of another build.
Result<void> check_is_of(const BoltLog& log, const std::string& binary, const std::string& advice) {
  if (log.profiled_functions == 0u)
    return fail(ErrorKind::kEmpty,
                "no function of the profile is in " + binary + "; is it of this binary?");
  uint64_t absent = log.absent_functions.value_or(0);
  if (log.profiled_functions && absent > *log.profiled_functions)
    return fail(ErrorKind::kMismatch, format_count(absent) +
                                          " functions of the profile are not in " + binary +
                                          ", and only " + format_count(*log.profiled_functions) +
                                          " are; is it of this program?");
  if (log.stale_share().value() > kMostStale && !log.inferred_functions)
    return fail(ErrorKind::kMismatch,
                describe_stale(log, binary) + ": it is of another build; " + advice);
  return ok();
}

// Does the profile fit IN, perhaps by way of --stale?
Result<void> check_fits(const BoltOptions& options, BoltReport& report) {
  BoltLog& log = report.log;
  const std::string name_stale =
      "if you have that one, name it with --stale (in CMake: BOLT_STALE)";
  PGO_CHECK(check_is_of(log, options.input, name_stale));
  bool known = log.profiled_functions && (!log.stale_functions || log.samples);
  BoltLog::Share stale = log.stale_share(), exact = log.exact_share();
  if (!log.inferred_functions && stale.value() > kMuchStale)
    log.warnings.warn("stale", describe_stale(log, options.input) +
                                   " and get nothing of it: those are of another build; " +
                                   name_stale);
  if (log.inferred_functions && stale.value() > kMostStale) {
    known = known && exact.whole != 0;
    if (exact.whole != 0 && exact.value() < kLeastExact)
      return fail(
          ErrorKind::kMismatch,
          describe_stale(log, options.input) + ", where " + std::to_string(exact.part) + " of " +
              std::to_string(exact.whole) +
              " blocks are as they were: too few to tell the others by; is it of an earlier "
              "build of this program? a recording of this build is better");
  }
  report.checks.push_back(
      {"profile", known ? "passed" : "unknown: llvm-bolt did not say how much of it fits"});
  return ok();
}

// The input itself, in the place of an earlier build, would take the earlier counts for its own.
Result<void> check_stale(const ElfImage& input, const BoltOptions& options) {
  if (options.stale.empty()) return ok();
  PGO_TRY(ElfImage stale, open_elf(options.stale));
  bool is_input = input.build_id().empty() ? is_same_file(options.stale, options.input)
                                           : stale.build_id().matches(input.build_id());
  if (!is_input) return ok();
  return fail(ErrorKind::kMismatch,
              "--stale " + options.stale + ": is this build itself" +
                  (input.build_id().empty() ? "" : " (build id " + input.build_id().hex() + ")") +
                  ", not an earlier one; name a copy of the build that was recorded, kept outside "
                  "this build, or leave --stale out when this is that build");
}

// What llvm-bolt calls an error, though it ended well and wrote a result.
Result<void> check_no_errors(const BoltLog& log) {
  if (log.errors.empty()) return ok();
  std::string text;
  for (const std::string& error : log.errors) text += "\n  " + error;
  return fail(ErrorKind::kMismatch, "llvm-bolt wrote a result, but reports errors:" + text);
}

Bytes bytes_of(const std::string& text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

// What is going to be OUT, checked but not yet in place. `requests` wait from when there is
// something to remove.
Result<AtomicFile> optimise(const ElfImage& input, mode_t permissions,
                            const BoltProfileFiles& files, const BoltOptions& options,
                            std::ostream& log, BoltReport& report,
                            std::optional<EndRequests>& requests) {
  const BoltToolTerms terms{options.most(), &log};
  PGO_CHECK(check_input(input, options));
  PGO_CHECK(check_stale(input, options));
  Result<Perf2bolt> perf2bolt = find_perf2bolt({options.perf2bolt, "", options.most()});
  PGO_TRY(LlvmBolt tool, find_llvm_bolt({options.llvm_bolt, perf2bolt ? perf2bolt->program : "", "",
                                         options.most()}));
  report.program = tool.program;
  report.version = tool.version;
  PGO_CHECK(check_extra_options(tool, options.extra));

  PGO_TRY(report.profile, make_bolt_profile(files, {options.profiled(), options.recorded, perf2bolt,
                                                    options.jobs, terms}));
  BoltProfile& profile = *report.profile;
  std::string digest = profile_digest(bytes_of(profile.contents));
  if (!options.stale.empty()) {
    PGO_TRY(BoltYaml yaml, make_bolt_yaml(tool, {options.stale, profile.contents, {}, terms}));
    PGO_CHECK(check_is_of(yaml.log, options.stale,
                          "--stale must name the one that was recorded, as it was before BOLT"));
    if (files.kind != BoltProfileFiles::Kind::kYaml) profile.contents = std::move(yaml.contents);
  }
  BoltChoice choice =
      choose_bolt_options(tool.abilities,
                          {.address_translation = options.table == AddressTranslationTable::kWrite,
                           .debug_sections = has_debug_info(input),
                           .stale = !options.stale.empty(),
                           .small_code = code_size(input) < kHugePage},
                          options.extra);
  report.options = choice.options;
  report.missing = choice.missing;
  requests.emplace();
  PGO_TRY(BoltedBinary bolted,
          run_llvm_bolt(tool, {options.input, profile.contents, choice.options, terms}));
  profile.contents.clear();
  report.log = std::move(bolted.log);
  PGO_CHECK(check_no_errors(report.log));
  PGO_CHECK(check_fits(options, report));

  Bytes bytes = bolted.file.bytes();
  Result<ElfImage> result = ElfImage::parse(bytes, "the result");
  if (!result) return fail(ErrorKind::kMismatch, result.error().message);
  std::vector<std::string> faults = find_faults(input, *result);
  if (!faults.empty()) {
    std::string text;
    for (const std::string& fault : faults) text += "\n  it " + fault;
    return fail(ErrorKind::kMismatch, "the result is not the same program:" + text);
  }
  report.checks.push_back({"elf", "passed"});
  std::string contents(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  fill_bolt_digest(*result, digest, contents);
  PGO_TRY(AtomicFile file, AtomicFile::write(options.output, contents, permissions));
  PGO_TRY(ElfImage candidate, ElfImage::open(file.temporary()));
  PGO_CHECK(check_loads(input, candidate, options, report));
  PGO_CHECK(check_runs(file.temporary(), options, report));
  return file;
}

// The input goes out as it is, or not at all.
Result<ExitCode> deliver_input(const ElfImage& input, mode_t permissions, const Error& reason,
                               const BoltOptions& options) {
  std::string what = options.input + " is NOT optimised: " + reason.message;
  if (options.on_failure == OnFailure::kError) {
    report_error({reason.kind, what});
    return kExitNo;
  }
  print_warning(what);
  if (!is_same_file(options.output, options.input)) {
    EndRequests requests;
    PGO_TRY(AtomicFile file, AtomicFile::write(options.output,
                                               {reinterpret_cast<const char*>(input.bytes().data()),
                                                input.bytes().size()},
                                               permissions));
    PGO_CHECK(file.commit());
  }
  return kExitDone;
}

// For when things go wrong, so it is no AtomicFile: it holds what was said until then, and nothing
// of an earlier run. Without --log it swallows everything.
Result<std::ofstream> start_log(const BoltOptions& options) {
  std::ofstream log;
  if (options.log.empty()) return log;
  log.open(options.log, std::ios::trunc);
  if (!log) return fail(ErrorKind::kIo, options.log + ": cannot be written");
  return log;
}

Result<ExitCode> run(const BoltOptions& options) {
  // What is wanted.
  PGO_TRY(ElfImage input, open_elf(options.input));
  struct stat status{};
  if (::stat(options.input.c_str(), &status) != 0 || input.kind() == ElfImage::Kind::kOther)
    return fail(ErrorKind::kUsage,
                options.input + ": an executable or a shared library is needed, as linked");
  PGO_CHECK(check_command_line(options));
  PGO_TRY(BoltProfileFiles files, find_bolt_profile(options.profiles));

  // The result, beside its place.
  BoltReport report;
  report.input = options.input;
  report.output = options.output;
  report.log_file = options.log;
  PGO_TRY(std::ofstream log, start_log(options));
  std::optional<EndRequests> requests;
  Result<AtomicFile> made =
      optimise(input, status.st_mode & 07777, files, options, log, report, requests);
  if (!made && requests && requests->any()) return std::move(made).failure();
  if (!made && made.error().kind == ErrorKind::kUsage) return std::move(made).failure();

  ExitCode exit_code = kExitDone;
  if (made) {
    PGO_CHECK(made->commit());
  } else {
    report.reason = made.error().message;
    PGO_TRY(exit_code, deliver_input(input, status.st_mode & 07777, made.error(), options));
    report.delivered = exit_code == kExitDone ? "input" : "nothing";
  }
  requests.reset();

  // What became of it.
  print_bolt_warnings(report);
  if (log.close(); !options.log.empty() && !log)
    print_warning(options.log + ": not all that llvm-bolt and perf2bolt said could be written");
  if (options.json)
    PGO_CHECK(write_file_atomically("-", json_text(bolt_report_json(report))));
  else if (made)
    PGO_CHECK(write_file_atomically("-", format_bolt_report(report)));
  if (!made) print_delivery(report);
  return exit_code;
}

}  // namespace

void declare_bolt(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<BoltOptions>();
  app.add_option("IN", options->input,
                 "The executable or shared library, linked with "
                 "-Wl,--emit-relocs")
      ->required()
      ->type_name("");
  app.add_option("-o,--output", options->output, "Where the result goes; it may be IN")
      ->required()
      ->type_name("FILE");
  app.add_option("--profile", options->profiles,
                 "Recordings (perf.data) or pre-aggregated traces of IN, as 'pgo convert' takes\n"
                 "them, several if you like; or one fdata or YAML profile of BOLT")
      ->required()
      ->allow_extra_args(false)
      ->type_name("P");
  app.add_option("--recorded", options->recorded,
                 "What was recorded, when it is what llvm-bolt made of IN")
      ->type_name("FILE");
  app.add_option(
         "--stale", options->stale,
         "The earlier build of IN that the profile is of: its counts go to the blocks of IN\n"
         "that match")
      ->type_name("FILE");
  app.add_option("--check", options->check,
                 "Run this by the shell, with {} as the result; it must exit with 0")
      ->type_name("'CMD {}'");
  const std::map<std::string, OnFailure> failures = {{"keep", OnFailure::kKeep},
                                                     {"error", OnFailure::kError}};
  app.add_option("--on-failure", options->on_failure,
                 "keep: OUT is IN as it was, with a warning and exit code 0 (the default);\n"
                 "error: OUT is not written, exit code 1")
      ->transform(CLI::CheckedTransformer(failures).description(""))
      ->type_name("keep|error");
  app.add_flag_callback(
      "--no-bat", [options] { options->table = AddressTranslationTable::kLeaveOut; },
      "Leave out the address translation table, through which recordings of the\n"
      "result still give profiles (it is not loaded when the program runs)");
  app.add_option("--timeout", options->timeout,
                 "Seconds that each program has: llvm-bolt, perf2bolt, CMD")
      ->capture_default_str()
      ->check(whole_number(1))
      ->type_name("S");
  app.add_option("--llvm-bolt", options->llvm_bolt, "The llvm-bolt to run")
      ->envname("PRODPGO_LLVM_BOLT")
      ->type_name("FILE");
  app.add_option("--perf2bolt", options->perf2bolt, "The perf2bolt to run for recordings")
      ->type_name("FILE");
  app.add_option("-j,--jobs", options->jobs, "Threads for reading (default: all cores)")
      ->check(whole_number());
  app.add_option("--log", options->log,
                 "Keep all that llvm-bolt and perf2bolt say in this file, also when they fail")
      ->type_name("FILE");
  app.add_flag("--json", options->json, "Print the figures as JSON on standard output");
  app.add_option("OPTIONS", options->extra, "llvm-bolt's own options, behind --")->type_name("");
  app.footer(
      "The profile must be of this very IN, unless --stale names the build that it is of.\n"
      "Whether OUT was laid out anew, --json says (\"optimised\"); exit code 0 does not.\n"
      "Example:\n"
      "  pgo bolt server -o server.bolt --profile recordings/ --check '{} --self-test'\n"
      "  pgo bolt server -o server.bolt --profile new.data --recorded server.bolt\n"
      "  pgo bolt server -o server.bolt --profile server.fdata -- -icf=all "
      "-split-strategy=cdsplit");
  app.callback([options, &exit_code] {
    Result<ExitCode> done = run(*options);
    exit_code = done ? *done : report_error(done.error());
  });
}

}  // namespace pgo
