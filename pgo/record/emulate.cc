// Starts QEMU with the plugin on a fresh directory of parts, and assembles them when it has ended.
#include "pgo/record/emulate.h"

#include <unistd.h>

#include "pgo/profile/quality.h"
#include "pgo/record/foreground.h"
#include "pgo/record/recording_assembly.h"
#include "pgo/record/recording_output.h"

namespace pgo {
namespace {

constexpr const char* kFirstPart = "part";

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
  PGO_TRY(RecordingTotals totals,
          assemble_recording(output, first_part, {options.command, std::string(kEmulatedEvent)}));
  totals.notes.insert(totals.notes.begin(), command.notes.begin(), command.notes.end());
  return EmulatedRun{exit_status, totals};
}

}  // namespace pgo
