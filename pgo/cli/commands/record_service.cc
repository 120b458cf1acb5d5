#include "pgo/cli/commands/record_service.h"

#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>
#include <utility>

#include "pgo/base/host_name.h"
#include "pgo/base/time_text.h"
#include "pgo/capture/capture.h"
#include "pgo/capture/local_host.h"
#include "pgo/capture/overhead_budget.h"
#include "pgo/cli/arguments/command_line.h"
#include "pgo/cli/arguments/destinations.h"
#include "pgo/cli/arguments/fetch_words.h"
#include "pgo/cli/arguments/label_argument.h"
#include "pgo/cli/arguments/several_pids.h"
#include "pgo/cli/arguments/shared_options.h"
#include "pgo/cli/terminal/messages.h"
#include "pgo/report/capture_report.h"
#include "pgo/source/profile_key.h"
#include "pgo/source/source_address.h"

namespace pgo {
namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

Result<int64_t> parse_length(const char* option, const std::string& text) {
  const std::optional<int64_t> length = parse_duration(text);
  if (!length || *length == 0)
    return fail(ErrorKind::kUsage,
                std::string(option) + " " + text + ": expected a duration such as 30s or 10m");
  return *length;
}

// "1%" or "0.5".
Result<double> parse_overhead(const std::string& text) {
  constexpr double kMost = 50;
  double value = 0;
  const char* end = text.data() + text.size();
  auto [rest, error] = std::from_chars(text.data(), end, value);
  const bool is_number =
      error == std::errc() && (rest == end || std::string_view(rest, end) == "%");
  if (!is_number || !(value > 0) || value > kMost)
    return fail(ErrorKind::kUsage,
                "--max-overhead " + text + ": expected a share of at most 50% such as 1% or 0.5%");
  return value / 100;
}

Result<RecordedService> wanted_service(const CaptureArguments& arguments,
                                       const RecordRequest& request) {
  std::vector<RecordedService> services;
  if (!arguments.program.empty()) services.push_back({ServiceKind::kProgram, arguments.program});
  if (!arguments.cgroup.empty()) services.push_back({ServiceKind::kCgroup, arguments.cgroup});
  if (!arguments.unit.empty()) services.push_back({ServiceKind::kUnit, arguments.unit});
  if (request.pid) services.push_back({ServiceKind::kPid, std::to_string(*request.pid)});
  if (arguments.program.find('/') != std::string::npos)
    return fail(ErrorKind::kUsage,
                "--service " + arguments.program +
                    ": is a path, and the file name of a program is "
                    "expected",
                "give --service " + arguments.program.substr(arguments.program.rfind('/') + 1));
  if (services.size() == 1) return services[0];
  return fail(
      ErrorKind::kUsage,
      services.empty() ? "the service to record is missing" : "more than one service is given",
      "name one service, with --service, --unit, --cgroup or --pid");
}

Result<Labels> service_labels(const CaptureArguments& arguments, const RecordedService& service) {
  PGO_TRY(Labels labels, parse_label_arguments(arguments.labels, "given"));
  if (const std::string host = host_name(); !host.empty()) labels.emplace("host", host);
  if (service.kind == ServiceKind::kProgram) labels.emplace("service", service.name);
  if (service.kind == ServiceKind::kUnit)
    labels.emplace("service", service.name.substr(0, service.name.rfind(".service")));
  if (!labels.contains("service"))
    return fail(ErrorKind::kUsage, "the profiles need the label service",
                "give it with --label service=NAME");
  return labels;
}

// What an engine or a command would need is refused, and -o names no file.
Result<void> check_request(const CaptureArguments& arguments, const RecordRequest& request) {
  if (request.pid && !request.command.empty() && is_number(request.command[0]))
    return fail(ErrorKind::kUsage, kSeveralPids);
  if (!request.command.empty())
    return fail(ErrorKind::kUsage,
                "a service is recorded for a given time, not while a command runs",
                "give --for 30s instead of -- " + request.command[0]);
  if (arguments.duration.empty())
    return fail(ErrorKind::kUsage, "--for is missing: how long to record", "give --for 30s");
  if (request.output == RecordRequest().output)
    return fail(ErrorKind::kUsage, "-o is missing: where to send the profiles",
                "name a directory or a store, as for pgo upload");
  if (request.output.ends_with(".data") || request.output.ends_with(".addr"))
    return fail(ErrorKind::kUsage,
                "-o " + request.output + ": with --for, -o names a directory or a store",
                "for one file: pgo record -o FILE --pid P -- sleep 30");
  if (!request.clock_recording)
    return fail(ErrorKind::kUsage, "--no-clock does not apply to services");
  for (const auto& [option, value] : {std::pair("--pause-file", &arguments.pause_file),
                                      std::pair("--max-overhead", &arguments.max_overhead)})
    if (!value->empty() && arguments.every.empty())
      return fail(ErrorKind::kUsage, std::string(option) + " applies only to repeated recording",
                  "give --every 10m, or leave it out: one recording is made at once");
  return ok();
}

// One for each service: two would send each other's profiles.
Result<std::string> spool_directory(const CaptureArguments& arguments, const Labels& labels) {
  if (!arguments.spool.empty()) return arguments.spool;
  const std::string name =
      key_part(labels.at("service")) + (arguments.every.empty() ? ".once" : "");
  // systemd names the directories of a service so, separated by colons.
  if (const std::string state = environment("STATE_DIRECTORY"); state.starts_with('/'))
    return state.substr(0, state.find(':')) + "/spool/" + name;
  if (const std::string state = environment("XDG_STATE_HOME"); state.starts_with('/'))
    return state + "/prodpgo/spool/" + name;
  if (const std::string home = environment("HOME"); !home.empty())
    return home + "/.local/state/prodpgo/spool/" + name;
  return fail(ErrorKind::kUsage,
              "there is no place for the spool: STATE_DIRECTORY, XDG_STATE_HOME and HOME are not "
              "set",
              "name a directory with --spool");
}

Result<SpoolOptions> spool_options(const CaptureArguments& arguments) {
  SpoolOptions options;
  if (arguments.spool_size.empty()) return options;
  const std::optional<uint64_t> size = parse_byte_size(arguments.spool_size);
  if (!size)
    return fail(ErrorKind::kUsage,
                "--spool-size " + arguments.spool_size + ": expected a size such as 500M or 8G");
  options.max_bytes = *size;
  return options;
}

// What a profile in the spool is kept for: a relative path would be another directory elsewhere.
std::string spool_destination(const std::string& output, const ProfileDestination& destination) {
  if (parse_source_address(output)) return destination.name();
  std::error_code error;
  const std::filesystem::path path = std::filesystem::absolute(output, error);
  return error ? output : path.lexically_normal().string();
}

// All that can be known to be wrong before anything runs.
struct Plan {
  LocalHostOptions host;
  CaptureRequest request;
  std::string spool;
  SpoolOptions spool_options;
};

Result<Plan> make_plan(const CaptureArguments& arguments, const RecordRequest& request) {
  Plan plan;
  PGO_CHECK(check_request(arguments, request));
  PGO_TRY(plan.host.service, wanted_service(arguments, request));
  PGO_TRY(plan.request.duration, parse_length("--for", arguments.duration));
  if (!arguments.every.empty()) {
    PGO_TRY(plan.request.interval, parse_length("--every", arguments.every));
    if (*plan.request.interval < plan.request.duration)
      return fail(ErrorKind::kUsage,
                  "--for " + arguments.duration + " is longer than --every " + arguments.every);
  }
  if (!arguments.max_overhead.empty()) {
    PGO_TRY(plan.request.max_overhead, parse_overhead(arguments.max_overhead));
  }
  PGO_TRY(plan.request.labels, service_labels(arguments, plan.host.service));
  PGO_TRY(plan.spool, spool_directory(arguments, plan.request.labels));
  PGO_TRY(plan.spool_options, spool_options(arguments));
  plan.request.service_text = service_text(plan.host.service);
  plan.request.is_one_process = plan.host.service.kind == ServiceKind::kPid;
  plan.request.clock_sample_cost = kClockSampleCost;
  plan.request.branch_sample_cost = kBranchSampleCost;
  plan.request.seed = std::random_device()();
  plan.host.pause_file = arguments.pause_file;
  plan.host.engine = request.engine;
  plan.host.period = request.period;
  plan.host.search_path = request.search_path;
  return plan;
}

}  // namespace

Result<void> refuse_capture_options(const CaptureArguments& arguments) {
  const std::pair<const char*, bool> given[] = {{"--max-overhead", !arguments.max_overhead.empty()},
                                                {"--pause-file", !arguments.pause_file.empty()},
                                                {"--spool", !arguments.spool.empty()},
                                                {"--spool-size", !arguments.spool_size.empty()}};
  for (const auto& [option, is_given] : given)
    if (is_given)
      return fail(ErrorKind::kUsage, std::string(option) + " applies only to services",
                  "--for 30s records a service once, --for 30s --every 10m repeatedly");
  return ok();
}

Result<ExitCode> record_service(const CaptureArguments& arguments, const RecordRequest& request,
                                const ResultArguments& result_arguments) {
  PGO_TRY(Plan plan, make_plan(arguments, request));
  PGO_CHECK(check_result_file(result_arguments, {plan.spool}));
  NetworkArguments network = arguments.network;
  if (!network.tries) network.tries = 1;  // the spool tries again, later
  PGO_TRY(const std::unique_ptr<ProfileDestination> destination,
          open_destination(request.output, network));
  PGO_CHECK(destination->check(plan.request.labels));
  plan.host.destination = destination.get();
  plan.host.end = network.end;
  plan.spool_options.destination = spool_destination(request.output, *destination);
  PGO_TRY(const std::unique_ptr<LocalHost> host, LocalHost::open(plan.host, plan.request));
  PGO_TRY(Spool spool, Spool::open(plan.spool, plan.spool_options));
  const std::string prefix = plan.request.labels.at("service") + ": ";
  plan.request.note = [&](const std::string& text) { print_note(prefix + text); };
  plan.request.warn = [&](const std::string& text) { print_warning(prefix + text); };
  plan.request.starting = [&] {
    print(capture_start_messages(plan.request, host->engine(), destination->name()));
  };
  PGO_TRY(const CaptureResult result, capture(plan.request, *host, spool));
  PGO_CHECK(write_result(result_arguments, capture_json(result)));
  print(capture_messages(plan.request, result, destination->name()));
  // A loop that was ended has done what it should; what it could not send waits.
  const bool is_done =
      plan.request.interval || (result.waiting_here == 0 && result.of_run.dropped == 0);
  return is_done ? kExitDone : kExitError;
}

void declare_capture(CommandLine& line, CaptureArguments& arguments) {
  constexpr const char* kGroup = "Services";
  line.option("--for", arguments.duration,
              "Record a service on this host for this time (30s), and send the profile to -o: a\n"
              "directory or a store, as for pgo upload")
      .type_name("DURATION")
      .group(kGroup);
  line.option("--every", arguments.every,
              "Record once in each interval of this length (10m), until SIGTERM or SIGINT")
      .type_name("DURATION")
      .group(kGroup);
  line.option("--service", arguments.program,
              "The processes whose executable has this file name, or whose name (comm) is NAME")
      .type_name("NAME")
      .group(kGroup);
  line.option("--unit", arguments.unit, "The processes of this systemd unit")
      .type_name("UNIT")
      .group(kGroup);
  line.option("--cgroup", arguments.cgroup,
              "The processes in this cgroup and below it (/a/b from the root, a/b anywhere)")
      .type_name("PATH")
      .group(kGroup);
  line.option("--label", arguments.labels,
              "KEY=VALUE: add a label to the uploaded profiles; may be given once for each key.\n"
              "host is set by default, and so is service with --service or --unit")
      .type_name("KEY=VALUE")
      .group(kOutputGroup);
  line.option("--max-overhead", arguments.max_overhead,
              "With --every: record less often if recording would otherwise take more than this\n"
              "share of the service's CPU time")
      .type_name("PERCENT")
      .default_text("1%")
      .group(kGroup);
  line.option("--pause-file", arguments.pause_file,
              "With --every: record nothing while this file exists")
      .type_name("FILE")
      .group(kGroup);
  line.option(
          "--spool", arguments.spool,
          "Keep profiles here until the store has them (default: spool/SERVICE, without --every\n"
          "spool/SERVICE.once, below $STATE_DIRECTORY, $XDG_STATE_HOME/prodpgo or\n"
          "~/.local/state/prodpgo)")
      .type_name("DIRECTORY")
      .group(kGroup);
  line.option("--spool-size", arguments.spool_size,
              "Drop the oldest profiles of the spool when it is larger than this")
      .type_name("SIZE")
      .default_text("1G")
      .group(kGroup);
  add_network_options(line, arguments.network);
}

}  // namespace pgo
