// pgo upload: the command line of upload() (pgo/upload/upload.h).

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <system_error>

#include "pgo/base/clock.h"
#include "pgo/base/time_text.h"
#include "pgo/cli/arguments/command_line.h"
#include "pgo/cli/arguments/destinations.h"
#include "pgo/cli/arguments/label_argument.h"
#include "pgo/cli/arguments/network_options.h"
#include "pgo/cli/arguments/result_arguments.h"
#include "pgo/cli/arguments/shared_options.h"
#include "pgo/cli/commands/commands.h"
#include "pgo/cli/terminal/exit_code.h"
#include "pgo/cli/terminal/messages.h"
#include "pgo/report/upload_report.h"
#include "pgo/upload/directory_destination.h"

namespace pgo {
namespace {

struct UploadArguments {
  std::vector<std::string> words;  // files, and the destination
  std::vector<std::string> labels;
  std::string keep;
  NetworkArguments network;
  UploadRequest request;
  ResultArguments output;
};

// Before anything is sent. Nothing: all are kept.
Result<std::optional<int64_t>> parse_keep(const UploadArguments& arguments,
                                          const std::string& destination) {
  if (arguments.keep.empty()) return std::optional<int64_t>();
  const std::optional<int64_t> kept = parse_duration(arguments.keep);
  if (!kept || *kept == 0)
    return fail(ErrorKind::kUsage,
                "--keep " + arguments.keep + ": expected a duration such as 30d or 12h");
  if (!destination_directory(destination))
    return fail(ErrorKind::kUsage, "--keep is for directories",
                "use the lifecycle rules of the bucket, or the retention of the store");
  return std::optional(time_now() - *kept);
}

Result<ExitCode> run_upload(UploadArguments& arguments) {
  if (arguments.words.size() < 2)
    return fail(ErrorKind::kUsage, "give the files, then the destination");
  std::string destination = arguments.words.back();
  UploadRequest& request = arguments.request;
  request.files.assign(arguments.words.begin(), std::prev(arguments.words.end()));
  PGO_CHECK(check_result_file(arguments.output, request.files));
  if (const std::optional<ObjectName> object = parse_object_name(destination)) {
    destination = object->destination;
    request.key = object->key;
  }
  PGO_TRY(request.labels, parse_label_arguments(arguments.labels, "given"));
  PGO_TRY(const std::optional<int64_t> oldest, parse_keep(arguments, destination));
  PGO_TRY(const std::unique_ptr<ProfileDestination> opened,
          open_destination(destination, arguments.network));
  request.destination = opened.get();
  const std::optional<std::string> directory = destination_directory(destination);
  UploadedTo to{.destination = opened->name()};
  std::error_code error;
  to.is_new = directory && !std::filesystem::exists(*directory, error);
  PGO_TRY(const UploadResult result, upload(request));
  if (oldest && directory) {
    OldProfiles old{.before = *oldest, .service = request.labels["service"], .fresh = {}};
    for (const UploadedFile& file : result.files)
      old.fresh.insert(old.fresh.end(), file.places.begin(), file.places.end());
    PGO_TRY(to.removed, remove_old_profiles(*directory, old));
  }
  PGO_CHECK(write_result(arguments.output, upload_json(result, to), upload_text(result)));
  print(upload_messages(result, to));
  return kExitDone;
}

}  // namespace

void declare_upload(CommandLine& line) {
  auto options = std::make_shared<UploadArguments>();
  UploadArguments& arguments = *options;
  line.argument("FILE... DESTINATION", arguments.words,
                "Recordings and profiles, then the destination: a directory (PATH or dir:PATH),\n"
                "s3://BUCKET/PREFIX, parca+http://HOST:PORT, pyroscope+http://HOST:PORT, or\n"
                "profefe+http://HOST:PORT")
      .required();
  line.option(
          "--label", arguments.labels,
          "KEY=VALUE: add a label to the profiles; may be given once for each key. Pyroscope and\n"
          "profefe require the label service, Parca any label")
      .group(kLabelGroup);
  line.option("--keep", arguments.keep,
              "After the upload, remove profiles that are older than this (30d, 12h) from the\n"
              "directory; with --label service=S, only those of S")
      .group(kOutputGroup);
  add_network_options(line, arguments.network);
  add_result_options(line, arguments.output);
  line.footer(
      "Directories and buckets get the files unchanged, under names that contain the labels, "
      "which\n"
      "pgo fetch reads. Parca, Pyroscope and profefe get pprof; where a store would drop "
      "addresses\n"
      "that have function names, the names are left out.\n"
      "Examples:\n"
      "  pgo upload perf.data /srv/profiles --label service=queryd --label version=1.42 --keep "
      "30d\n"
      "  pgo upload cpu.pb.gz s3://profiles --label service=queryd\n"
      "  pgo upload cpu.pb.gz parca+http://parca:7070 --label service=queryd");
  line.run([options] { return report_any_failure(run_upload(*options), options->output.json); });
}

}  // namespace pgo
