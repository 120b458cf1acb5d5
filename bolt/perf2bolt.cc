#include "bolt/perf2bolt.h"

#include <algorithm>
#include <vector>

#include "bolt/bolt_log.h"
#include "bolt/bolt_tool.h"
#include "bolt/log_text.h"
#include "pgo/base/atomic_file.h"
#include "pgo/base/deferred_termination.h"
#include "pgo/base/mapped_file.h"
#include "pgo/base/subprocess.h"
#include "pgo/base/temporary_directory.h"

namespace pgo {
namespace {

constexpr unsigned kFirstWithTraces = 21;
constexpr std::string_view kPerf2boltNames[] = {"perf2bolt-22", "perf2bolt"};
constexpr std::string_view kOrElsewhere =
    "install bolt-22, or write preagg:PATH, and run perf2bolt on it where BOLT is installed";

// "<count> (<percent>%)"
void read_share(std::optional<std::string_view> text, std::optional<uint64_t>& count,
                double& percent) {
  if (!text) return;
  std::string_view line = text->substr(0, text->find('\n'));
  count = leading_number<uint64_t>(line);
  if (auto share = after(line, "(")) percent = leading_number<double>(*share).value_or(0);
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (!line.empty()) lines.push_back(line);
  }
  return lines;
}

Result<unsigned> read_llvm_major(const std::string& program, std::chrono::milliseconds timeout) {
  Result<std::string> version = read_bolt_tool_version(program, "perf2bolt", timeout);
  if (version) return leading_number<unsigned>(*version).value_or(0);
  if (version.error().kind != ErrorKind::kUnsupported) return std::move(version).failure();
  return fail(ErrorKind::kUnsupported,
              "fdata: " + version.error().message + " " + std::string(kOrElsewhere));
}

}  // namespace

Result<Perf2bolt> find_perf2bolt(const Perf2boltSearch& search) {
  std::vector<std::string> candidates;
  if (!search.program.empty()) {
    PGO_TRY(std::string program, find_named_tool(search.program, "perf2bolt"));
    candidates.push_back(std::move(program));
  } else {
    std::string directories = !search.path.empty()
                                  ? search.path
                                  : search_path_from_environment() + ":" + kDebianLlvmDirectory;
    for (std::string_view name : kPerf2boltNames)
      if (auto found = find_program(name, directories)) candidates.push_back(*found);
    if (search.path.empty())
      if (auto found = find_program("perf2bolt", kDebianLlvmDirectory))
        candidates.push_back(*found);
  }
  std::string too_old;
  std::optional<Error> unreadable;  // the first that does not say its version
  for (const std::string& program : candidates) {
    Result<unsigned> major = read_llvm_major(program, search.timeout);
    if (major && *major >= kFirstWithTraces) return Perf2bolt{program, *major};
    if (major)
      too_old +=
          (too_old.empty() ? "" : ", ") + program + " is from LLVM " + std::to_string(*major);
    else if (!unreadable)
      unreadable = major.error();
  }
  if (!too_old.empty())
    return fail(ErrorKind::kUnsupported, "fdata: needs perf2bolt of LLVM 22, but " + too_old +
                                             ": " + std::string(kOrElsewhere));
  if (unreadable) return fail(*unreadable);
  return fail(ErrorKind::kUnsupported,
              "fdata: needs perf2bolt of LLVM 22: " + std::string(kOrElsewhere));
}

Result<Perf2boltOutput> run_perf2bolt(const Perf2bolt& tool, std::string_view preaggregated,
                                      const std::string& binary, const ToolLimits& limits,
                                      BuildIdentity identity) {
  DeferredTermination termination;
  Result<TemporaryDirectory> directory = TemporaryDirectory::make();
  if (!directory) return fail(ErrorKind::kIo, "fdata: " + directory.error().message);
  std::string input = directory->file("preaggregated"), made = directory->file("fdata");
  PGO_CHECK(write_file_atomically(input, preaggregated));
  std::vector<std::string> command = {tool.program, "-pa", "-p", input, "-o", made, binary};
  PGO_TRY(ProcessResult finished, run_bolt_tool(command, binary, limits));
  // perf2bolt, unlike llvm-bolt, takes code that it does not fully understand for an error, such as
  // that of a C library that is linked statically.
  if (finished.exit_status != 0 &&
      finished.error.find("unable to proceed with --strict") != std::string::npos) {
    command.push_back("-strict=0");
    PGO_TRY(finished, run_bolt_tool(command, binary, limits));
  }
  if (Result<void> done = check_bolt_tool(finished, tool.program, binary, limits.timeout); !done)
    return fail(done.error().kind, "fdata: " + done.error().message, done.error().advice);
  // It may have made no file at all.
  Result<MappedFile> fdata = MappedFile::open(made);
  Bytes bytes = fdata ? fdata->bytes() : Bytes{};
  if (bytes.empty())
    return fail(ErrorKind::kEmpty, "fdata: perf2bolt found no branch in a function of " + binary,
                identity == BuildIdentity::kProven ? "does it have the symbols of its functions?"
                                                   : "is it the binary that was recorded?");
  Perf2boltOutput output;
  output.fdata.assign(as_text(bytes));
  output.figures = parse_perf2bolt_figures(finished.output);
  BoltLog log = parse_bolt_log(finished.output + "\n" + finished.error, "perf2bolt");
  output.diagnostics = std::move(log.warnings);
  output.has_unknown_warnings = log.has_unknown_warnings;
  output.errors = std::move(log.errors);
  return output;
}

Perf2boltFigures parse_perf2bolt_figures(std::string_view output) {
  Perf2boltFigures figures;
  read_share(after(output, "traces mismatching disassembled function contents: "),
             figures.mismatching_traces, figures.mismatching_percent);
  read_share(after(output, "out of range traces involving unknown regions: "),
             figures.out_of_range_traces, figures.out_of_range_percent);
  // "BOLT-INFO: 20 out of 28 functions in the binary (71.4%) have non-empty execution profile"
  for (std::string_view line : lines_of(output)) {
    if (line.find("have non-empty execution profile") == std::string_view::npos) continue;
    if (auto count = after(line, "BOLT-INFO: "))
      figures.profiled_functions = leading_number<uint64_t>(*count);
    if (auto count = after(line, " out of ")) figures.functions = leading_number<uint64_t>(*count);
  }
  return figures;
}

}  // namespace pgo
