// pgo record: runs a command, or watches a process, and leaves a perf.data with branch stacks, or
// with samples of where time went.
//
//   pgo record [-o FILE] [--engine perf|clock|step|emulate] [--period N] [--overhead N] [--pid P]
//              [--no-clock] [--report FILE] [--json] [--verbose] [-- COMMAND...]
//   pgo record --for D [--every D] (--service NAME|--unit UNIT|--cgroup PATH|--pid P) -o
//   DESTINATION
//   pgo record -o DESTINATION [--label KEY=VALUE]...     uploads an address profile instead
//
// Beside branch records, a second recording takes clock samples, because samples of branches do not
// measure cost. The engine and the recipe are printed to standard error before the command
// starts, and the result after it has ended. The command's streams and its exit status are passed
// through.
#include <cstdint>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "pgo/base/shell_word.h"
#include "pgo/base/subprocess.h"
#include "pgo/cli/arguments/command_line.h"
#include "pgo/cli/arguments/destinations.h"
#include "pgo/cli/arguments/label_argument.h"
#include "pgo/cli/arguments/network_options.h"
#include "pgo/cli/arguments/shared_options.h"
#include "pgo/cli/commands/commands.h"
#include "pgo/cli/commands/record_service.h"
#include "pgo/cli/terminal/exit_code.h"
#include "pgo/cli/terminal/messages.h"
#include "pgo/delivery/delivery.h"
#include "pgo/recording/record.h"
#include "pgo/report/delivery_report.h"
#include "pgo/report/record_report.h"
#include "pgo/source/source_address.h"

namespace pgo {
namespace {

constexpr const char* kRecordingGroup = "Recording";

struct RecordArguments {
  RecordRequest request;
  ResultArguments result;
  bool no_clock = false, verbose = false;
  CaptureArguments service;
};

// Where the profile goes to, if it is no file: an object, or a destination of pgo upload.
std::optional<ObjectName> remote_output(const std::string& text) {
  if (!parse_source_address(text)) return std::nullopt;
  const std::optional<ObjectName> object = parse_object_name(text);
  return object && text.ends_with(".addr") ? *object : ObjectName{text, ""};
}

void complete(RecordArguments& arguments) {
  RecordRequest& request = arguments.request;
  request.clock_recording = !arguments.no_clock;
  if (arguments.verbose) request.printed = PerfOutput::kVerbose;
  request.search_path = search_path_from_environment();
  if (const std::string& report = arguments.result.report; !report.empty())
    request.other_files = {{report, "\xFF{report}"}};
  request.starting = [](const RecordStart& start) { print(record_start_messages(start)); };
  request.ended_early = [] {
    print_warning("ended before the recording had started: nothing was recorded");
  };
}

// What could not be sent, with the command that sends it. A key is the whole name; otherwise labels
// are what the name is made of.
Error unsent_error(const UnsentProfile& unsent, const Labels& labels,
                   const std::string& destination, const NetworkArguments& network) {
  std::vector<std::string> words = {"pgo", "upload", unsent.path,
                                    destination + (unsent.key.empty() ? "" : "/") + unsent.key};
  if (unsent.key.empty())
    for (const auto& [key, text] : labels) words.insert(words.end(), {"--label", key + "=" + text});
  const std::vector<std::string> options = network_words(network);
  words.insert(words.end(), options.begin(), options.end());
  Error error = unsent.error;
  error.advice += (error.advice.empty() ? "" : "; ") +
                  ("the profile is kept: " + shell_line(words)) + " sends it";
  return error;
}

Result<int> deliver(RecordArguments& arguments, const ObjectName& output) {
  DeliveryRequest request;
  request.record = arguments.request;
  request.key = output.key;
  PGO_TRY(request.labels, parse_label_arguments(arguments.service.labels, "given"));
  PGO_TRY(const std::unique_ptr<ProfileDestination> opened,
          open_destination(output.destination, arguments.service.network));
  request.destination = opened.get();
  PGO_TRY(const DeliveryResult result, deliver_recording(request));
  if (result.unsent)
    return fail(
        unsent_error(*result.unsent, result.labels, opened->name(), arguments.service.network));
  print(delivery_messages(result));
  PGO_CHECK(write_result(arguments.result, delivery_json(request, result)));
  return result.recording.exit_status;
}

// The exit code is the command's.
int run_record(RecordArguments& arguments) {
  complete(arguments);
  if (arguments.service.is_wanted())
    return report_any_failure(
        record_service(arguments.service, arguments.request, arguments.result),
        arguments.result.json);
  if (const Result<void> checked = check_result_file(arguments.result, {}); !checked)
    return report_failure(checked.error(), arguments.result.json);
  const Result<void> usual = refuse_capture_options(arguments.service);
  if (!usual) return report_failure(usual.error(), arguments.result.json);
  if (const std::optional<ObjectName> output = remote_output(arguments.request.output)) {
    const Result<int> delivered = deliver(arguments, *output);
    return delivered ? *delivered : report_failure(delivered.error(), arguments.result.json);
  }
  if (!arguments.service.labels.empty())
    return report_failure(
        {ErrorKind::kUsage, "\xFF{label} is for what is uploaded, and \xFF{output} " +
                                arguments.request.output + " is a file"},
        arguments.result.json);
  Result<RecordResult> result = record(arguments.request);
  if (!result) return report_failure(result.error(), arguments.result.json);
  print(record_messages(arguments.request, *result));
  Result<void> written = write_result(arguments.result, record_json(arguments.request, *result));
  return written ? result->exit_status : report_error(written.error());
}

}  // namespace

void declare_record(CommandLine& line) {
  auto options = std::make_shared<RecordArguments>();
  RecordRequest* request = &options->request;
  line.footer(
      "Exit code: that of the command, or 128 + the signal number if a signal ended it; also\n"
      "2 if nothing could be recorded. With --for: 0, or 2 if nothing could be recorded or, "
      "without\n"
      "--every, a profile could not be sent.\n"
      "Examples:\n"
      "  pgo record -o server.data -- ./server --requests 1000\n"
      "  pgo record --engine clock -o server.data --pid $(pidof -s server) -- sleep 60\n"
      "  pgo record --engine step -o server.data -- ./server --requests 1000\n"
      "  pgo record --engine emulate -o ci.data -- ./unit_tests   # works without LBR\n"
      "  pgo record --unit queryd --every 10m --for 30s -o s3://profiles   # until SIGTERM\n"
      "  pgo record --service queryd --for 30s -o /srv/profiles            # once, now\n"
      "  pgo record --pid $(pidof -s queryd) -o 's3://profiles/{hour}/{host}.addr' -- sleep 60");
  line.option("-o,--output", request->output,
              "Write the recording to this file. Or upload it as an address profile, which is\n"
              "much smaller: s3://BUCKET/{hour}/{host}.addr, or a destination of pgo upload")
      .show_default()
      .type_name("FILE")
      .group(kOutputGroup);
  line.option("--engine", request->engine,
              Words<EngineWish>{{"perf", EngineWish::kPerf},
                                {"clock", EngineWish::kClock},
                                {"step", EngineWish::kStep},
                                {"emulate", EngineWish::kEmulate}},
              "perf: the processor's branch records (the default);\n"
              "clock: PC samples by CPU time, on any machine; branch counts are inferred;\n"
              "step: branch records from bursts of single steps, on any x86-64 machine;\n"
              "emulate: branch records from QEMU, on any x86-64 machine, 5 to 20 times slower")
      .group(kRecordingGroup);
  line.option("--period", request->period,
              "The sampling period: events (perf; the event is printed at the start), taken\n"
              "branches (emulate), or nanoseconds of CPU time (clock: 250007; step: 4000000,\n"
              "and --overhead says how many of these samples have branches)")
      .whole_number(1, std::numeric_limits<uint64_t>::max())
      .type_name("N")
      .group(kRecordingGroup);
  line.option("--overhead", request->overhead,
              "The percentage of the CPU time that single steps may take (step: 2)")
      .whole_number(1, 50)
      .type_name("N")
      .group(kRecordingGroup);
  line.option("--pid", request->pid,
              "Record a running process until it ends, until ^C, or while COMMAND (sleep 60) runs")
      .whole_number(1, std::numeric_limits<int32_t>::max())
      .type_name("P")
      .group(kRecordingGroup);
  line.flag("--no-clock", options->no_clock,
            "When -o X.data contains branch records, do not also record CPU time to\n"
            "X.clock.data (the file to use with pgo diff and pgo verify)")
      .group(kRecordingGroup);
  line.flag("--verbose", options->verbose, "Also show what perf itself prints").group(kOutputGroup);
  declare_capture(line, options->service);
  line.option("--qemu", request->qemu, "The qemu-x86_64 to run")
      .type_name("FILE")
      .group(kToolGroup);
  line.option("--plugin", request->plugin,
              "The QEMU plugin that records branches (emulate), or the library (step)")
      .type_name("FILE")
      .group(kToolGroup);
  add_result_options(line, options->result);
  line.argument("COMMAND", request->command, "The command and its arguments, after --")
      .type_name("");
  line.run([options] { return run_record(*options); });
}

}  // namespace pgo
