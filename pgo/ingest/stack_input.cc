#include "pgo/ingest/stack_input.h"

#include "converters/folded/folded.h"
#include "converters/gperftools/gperftools_cpu.h"
#include "converters/pprof/pprof_reader.h"

namespace pgo {

Result<StackProfile> read_stack_profile(const InputBytes& input, Diagnostics& diagnostics) {
  if (!input.format()) {
    if (input.damage() || input.file().empty()) return input.unknown();
  } else if (*input.format() == Format::kPprof) {
    return parse_pprof(input.contents(), input.path(), diagnostics);
  } else if (*input.format() == Format::kGperftools) {
    return parse_gperftools_cpu(input.contents(), input.path(), diagnostics);
  } else if (*input.format() == Format::kFolded) {
    if (is_folded_difference(input.contents()))
      return fail(ErrorKind::kUnsupported,
                  input.path() +
                      ": looks like a difference of two profiles: its lines end in two numbers, "
                      "counts before and after ('main;work 12 15'); use the profiles themselves "
                      "(flamegraph.pl draws the difference). If the first number belongs to the "
                      "name, end the stack with ';' ('main;worker 12; 15')");
    return parse_folded(input.contents(), input.path(), diagnostics);
  }
  const bool is_convertible =
      input.format() == Format::kPerfData || input.format() == Format::kAddressProfile;
  return fail(
      ErrorKind::kUnsupported,
      input.describe(", not a stack profile (pprof, gperftools CPU profile, folded stacks)"),
      is_convertible ? "'pgo convert' makes one of it, x.pb.gz" : "");
}

}  // namespace pgo
