#include "pgo/diff/side_rows.h"

#include <utility>

#include "pgo/base/number_text.h"
#include "pgo/diff/nameless_code.h"
#include "pgo/diff/side_files.h"
#include "pgo/profile/thresholds.h"

namespace pgo {
namespace {

// Code without names is one row for each binary, which tells little.
void warn_of_nameless_code(const verify::Side& side, const std::vector<RowKey>& keys,
                           const BinarySet* binaries, Diagnostics& diagnostics) {
  double all = 0;
  for (const verify::Member& member : side.members) all += member.weight;
  for (size_t row = 0; row < keys.size(); row++) {
    if (!lacks_names(keys[row])) continue;
    double value = 0;
    for (const verify::Cell& cell : side.rows[row]) value += cell.value;
    if (value > thresholds::kNamelessShare * all)
      diagnostics.warn("code-without-names",
                       format_share(value / all) +
                           " of the cost is in code without function names in " + keys[row].binary +
                           ": " + advise_on_nameless_code(keys[row].binary, binaries));
  }
}

}  // namespace

Result<SideRows> read_side_rows(const SideRowsRequest& request, Diagnostics& diagnostics) {
  constexpr size_t kSide = 0;
  PGO_TRY(const StackFilter filter, StackFilter::compile(request.filter));
  PGO_TRY(std::vector<SideFile> files, find_side_files(request.inputs, request.unit_files));
  std::vector<std::string> paths;
  for (const SideFile& file : files) paths.push_back(file.file.path);
  PGO_CHECK(check_plan(request.outputs, paths));
  PGO_TRY(SideReader reader, SideReader::open(request.reader));
  RowOptions options = request.rows;
  options.folded_names = reader.folded();
  RowTable table(std::move(options));
  SideRows side;
  PGO_CHECK(reader.read(files, "reading", diagnostics, [&](const SideFile& file, SideProfile& its) {
    const std::vector<uint32_t> members = add_members(table, kSide, file, its, side.members);
    table.count(its.profile(), its.weight, kSide, members);
    filter.apply(its.profile());
    table.add(its.profile(), its.weight, kSide, members);
    return ok();
  }));
  PGO_CHECK(check_has_samples(table.members(kSide), request.whose, files, diagnostics));
  reader.warn(diagnostics);
  side.type = reader.type();
  side.inlined = table.inlined()[kSide];
  side.rows = std::move(table).finish();
  if (request.rows.by == RowsBy::kFunction)
    warn_of_nameless_code(side.rows.flat[kSide], side.rows.keys, reader.binaries(), diagnostics);
  return side;
}

}  // namespace pgo
