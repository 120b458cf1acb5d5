// Starts QEMU with the plugin on a fresh directory of parts, and assembles them when it has ended.
#include "pgo/record/emulate.h"

#include <fcntl.h>
#include <unistd.h>

#include "pgo/base/mapped_file.h"
#include "pgo/base/unique_fd.h"
#include "pgo/record/foreground.h"
#include "pgo/record/plugin/recording_state.h"
#include "pgo/record/recording_output.h"

namespace pgo {
namespace {

constexpr const char* kFirstPart = "part";

Result<std::vector<MappedFile>> open_parts(const std::string& first) {
  std::vector<MappedFile> files;
  PGO_TRY(MappedFile opened, MappedFile::open(first));
  if (opened.bytes().size() < kDataOffset)
    return fail(ErrorKind::kIo, first + ": QEMU did not begin a recording");
  auto state = load_le<RecordingState>(opened.bytes().data() + kStateOffset);
  files.push_back(std::move(opened));
  for (uint32_t number = 1; number < state.parts; number++) {
    std::string path = first + "." + std::to_string(number);
    // A part that could not be made has left a note.
    if (::access(path.c_str(), F_OK) != 0) continue;
    PGO_TRY(MappedFile part, MappedFile::open(path));
    if (part.bytes().size() >= kDataOffset) files.push_back(std::move(part));
  }
  return files;
}

// Writes the recording beside the parts and moves it to its place.
Result<RecordingTotals> assemble(const RecordingOutput& output, const EmulationOptions& options) {
  PGO_TRY(std::vector<MappedFile> files, open_parts(output.file(kFirstPart)));
  std::vector<Bytes> contents;
  contents.reserve(files.size());
  for (const MappedFile& file : files) contents.push_back(file.bytes());
  constexpr const char* kWhole = "whole";
  UniqueFd out(::open(output.file(kWhole).c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (out.fd < 0) return creation_failure(options.output, output.file(kWhole));
  ByteSink sink = [&](Bytes bytes) { return write_all(out.fd, as_text(bytes), options.output); };
  PGO_TRY(RecordingTotals totals, assemble_parts(contents, options.command, sink));
  if (::fsync(out.fd) != 0) return io_failure(options.output, "cannot write");
  PGO_TRY(std::string warning, output.place(kWhole));
  if (!warning.empty()) totals.notes.push_back(warning);
  return totals;
}

}  // namespace

Result<EmulatedRun> record_emulated(const EmulationOptions& options) {
  PGO_TRY(EmulatedProgram program, resolve_command(options.command, options.emulator));
  PGO_TRY(Emulator emulator, find_emulator(options.emulator, EmulatorPlugin::kBranchRecorder));
  Foreground foreground;
  PGO_TRY(RecordingOutput output, RecordingOutput::prepare(options.output));
  const std::string first_part = output.file(kFirstPart);
  EmulatorCommand command =
      emulator_command(emulator, program, options.emulator,
                       {.output = first_part, .more = "period=" + std::to_string(options.period)});
  options.starting();
  PGO_TRY(int exit_status, foreground.run(command.arguments, command.environment, SIGHUP));
  if (::access(first_part.c_str(), F_OK) != 0)
    return did_not_start(emulator, exit_status, "record");
  PGO_TRY(RecordingTotals totals, assemble(output, options));
  totals.notes.insert(totals.notes.begin(), command.notes.begin(), command.notes.end());
  return EmulatedRun{exit_status, totals};
}

}  // namespace pgo
