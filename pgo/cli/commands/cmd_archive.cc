// pgo archive: the command line of archive() (pgo/archive/archive.h).

#include <memory>
#include <nlohmann/json.hpp>

#include "pgo/archive/archive.h"
#include "pgo/cli/arguments/archives.h"
#include "pgo/cli/arguments/command_line.h"
#include "pgo/cli/arguments/result_arguments.h"
#include "pgo/cli/arguments/shared_options.h"
#include "pgo/cli/commands/commands.h"
#include "pgo/cli/terminal/exit_code.h"
#include "pgo/cli/terminal/messages.h"
#include "pgo/report/archive_report.h"

namespace pgo {
namespace {

struct ArchiveArguments {
  ArchiveRequest request;
  std::string to;
  RegistryArguments registry;
  ResultArguments output;
};

Result<ExitCode> run_archive(ArchiveArguments& arguments) {
  const ReleasePaths& files = arguments.request.files;
  PGO_CHECK(check_result_file(arguments.output,
                              {files.executable, files.debug, files.prebolt,
                               is_reference(arguments.to) ? arguments.to : std::string()}));
  PGO_TRY(arguments.request.keep, archive_keeper(arguments.to, arguments.registry));
  PGO_TRY(const ArchiveResult result, archive(arguments.request));
  PGO_CHECK(write_result(arguments.output, archive_json(result), archive_text(result)));
  print(archive_messages(result, arguments.to));
  return kExitDone;
}

}  // namespace

void declare_archive(CommandLine& line) {
  auto options = std::make_shared<ArchiveArguments>();
  ReleasePaths& files = options->request.files;
  line.argument("BINARY", files.executable, "The program or shared library that is released")
      .required();
  line.argument("PREBOLT", files.prebolt,
                "llvm-bolt's input, if llvm-bolt made BINARY (with CMake: BINARY.prebolt)");
  line.option("--debug-file", files.debug,
              "The debug file of BINARY or of PREBOLT, if that is stripped")
      .group(kBinaryGroup);
  line.option("--to", options->to,
              "The archive: a directory (PATH or dir:PATH), oci-dir:PATH[:TAG],\n"
              "oci://HOST/REPOSITORY[:TAG], or s3://BUCKET/PREFIX")
      .type_name("ARCHIVE")
      .required();
  add_registry_options(line, options->registry);
  add_result_options(line, options->output);
  line.footer(
      "Run it in each release job: recordings of a build can only be converted with the files of\n"
      "exactly this build. 'pgo convert --binary-from ARCHIVE', 'binaries' in pgo.toml and so on\n"
      "find them there by build ID. Prints where each file is. The job can run again: the same\n"
      "file is not written twice, and another file with the same build ID is an error.\n"
      "Exit code: 0 when all files are in the archive, 2 for errors.\n"
      "Examples:\n"
      "  pgo archive build/server --to /srv/builds\n"
      "  pgo archive server server.prebolt --debug-file server.debug --to s3://builds/server\n"
      "  pgo archive server --to oci://registry.example.com/builds/server:1.42");
  line.run([options] { return report_any_failure(run_archive(*options), options->output.json); });
}

}  // namespace pgo
