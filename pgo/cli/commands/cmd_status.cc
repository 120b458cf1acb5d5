// pgo status: the command line of service_status() (pgo/refresh/status.h).

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "pgo/base/atomic_file.h"
#include "pgo/base/clock.h"
#include "pgo/base/time_text.h"
#include "pgo/cli/arguments/command_line.h"
#include "pgo/cli/arguments/services.h"
#include "pgo/cli/arguments/shared_options.h"
#include "pgo/cli/commands/commands.h"
#include "pgo/cli/terminal/exit_code.h"
#include "pgo/cli/terminal/messages.h"
#include "pgo/cli/terminal/option_words.h"
#include "pgo/refresh/status.h"
#include "pgo/report/error_json.h"
#include "pgo/report/json_text.h"
#include "pgo/report/status_report.h"

namespace pgo {
namespace {

struct StatusArguments {
  ServiceArguments services;
  std::string max_age = "14d";
  std::optional<double> min_match;
  unsigned jobs = 0;
  bool json = false;
};

Result<ExitCode> run_status(const StatusArguments& arguments) {
  StatusRequest request;
  const std::optional<int64_t> max_age = parse_duration(arguments.max_age);
  if (!max_age || *max_age == 0)
    return fail(ErrorKind::kUsage,
                "--max-age " + arguments.max_age + ": expected a duration such as 6h, 14d or 2w");
  request.max_age = *max_age;
  request.now = time_now();
  request.open = registry_opener(arguments.services.registry);
  PGO_TRY(request.cache, default_cache_directory());
  request.jobs = arguments.jobs;
  PGO_TRY(const ConfiguredServices configured, load_services(arguments.services));
  std::vector<ServiceStatus> statuses;
  nlohmann::json failed = nlohmann::json::array();
  for (const ServiceConfig& service : configured.services) {
    request.name = service.name;
    request.lock = service.lock.text;
    request.current_builds = service.current_build_paths();
    request.min_match = arguments.min_match ? arguments.min_match : service.gates.match;
    Result<ServiceStatus> status = service_status(request);
    if (!status) {  // the others may succeed
      const Error error = error_of_service(service, status.error());
      report_error(error);
      failed.push_back(error_json(error));
      failed.back()["name"] = service.name;
      continue;
    }
    print_warnings(with_option_words(status->diagnostics));
    statuses.push_back(*std::move(status));
  }
  nlohmann::json json = status_json(statuses);
  for (nlohmann::json& row : failed) json["profiles"].push_back(std::move(row));
  PGO_CHECK(write_file_atomically(
      "-", arguments.json ? json_text(json_with_option_words(json)) : status_text(statuses)));
  if (!failed.empty()) return kExitError;
  const bool is_any_due = std::any_of(statuses.begin(), statuses.end(),
                                      [](const ServiceStatus& one) { return one.is_due(); });
  if (is_any_due) return kExitNo;
  const bool is_any_unknown =
      std::any_of(statuses.begin(), statuses.end(),
                  [](const ServiceStatus& one) { return !one.not_compared.empty(); });
  return arguments.min_match && is_any_unknown ? kExitError : kExitDone;
}

}  // namespace

void declare_status(CommandLine& line) {
  auto options = std::make_shared<StatusArguments>();
  add_service_options(line, options->services);
  line.option(
          "--max-age", options->max_age,
          "A new profile is due when the last recording of the pinned one is older than this (6h,\n"
          "14d, 2w)")
      .show_default();
  line.option(
          "--min-match", options->min_match,
          "A new profile is due when less than this percentage of the pinned one matches\n"
          "current-build (see 'pgo match'). Default: the gate min-match of the service, or else\n"
          "50 for a profile by line, and 20 for one by probe")
      .percent();
  add_json_option(line, options->json);
  add_registry_options(line, options->services.registry);
  add_jobs_option(line, options->jobs);
  line.footer(
      "Lists the pinned profile of each service of pgo.toml. A new one is due if none is pinned,\n"
      "if the pinned one is too old, of unknown age or dated in the future, or if too little of\n"
      "it matches current-build. 'pgo refresh' makes new ones.\n"
      "Exit code: 0 when no profile is due, 1 when one is due, 2 for an error of any service, or,\n"
      "with --min-match, for a profile that cannot be compared with current-build.\n"
      "Examples:\n"
      "  pgo status\n"
      "  pgo status --max-age 30d --min-match 60 --json");
  line.run([options] { return report_any_failure(run_status(*options), options->json); });
}

}  // namespace pgo
