#include "pgo/ingest/inconvertible.h"

namespace pgo {
namespace {

std::string advise(Format format) {
  switch (format) {
    case Format::kFolded:
      return "they have neither addresses nor lines: fetch the profile as pprof, or record with "
             "perf. Failing that, 'pgo merge' converts them to pprof (\xFF{output} x.pb.gz), and "
             "'pgo convert \xFF{without-lines}' uses the function names in it";
    case Format::kElf: return "give a recording of it";
    case Format::kConvertReport: return "a report contains only figures; give the recordings";
    default: return "it is made from recordings; give those";
  }
}

}  // namespace

bool is_convertible(const InputBytes& input) {
  return input.format() && is_used_by(info_of(*input.format()).input, FormatUse::kConvert);
}

Error describe_inconvertible(const InputBytes& input) {
  if (!input.format()) return input.unknown().error;
  return {ErrorKind::kUnsupported, input.describe(""), advise(*input.format())};
}

}  // namespace pgo
