#include "pgo/stacks/stack_output.h"

#include "converters/folded/folded.h"
#include "converters/pprof/frame_pruning.h"
#include "converters/pprof/pprof_writer.h"
#include "pgo/base/gzip.h"

namespace pgo {

Result<std::string> write_stacks(const StackProfile& profile, Format format,
                                 Diagnostics& diagnostics) {
  switch (format) {
    case Format::kPprof: return gzip(write_pprof(profile));
    case Format::kPprofPlain: return write_pprof(profile);
    case Format::kFolded: {
      PGO_TRY(StackProfile pruned, prune_frames(profile));
      return write_folded(pruned, diagnostics);
    }
    case Format::kGo: {
      PGO_TRY(StackProfile slim, for_go(profile, diagnostics));
      return gzip(write_pprof(slim));
    }
    default: return fail(ErrorKind::kInternal, "this format is not one of stack profiles");
  }
}

}  // namespace pgo
