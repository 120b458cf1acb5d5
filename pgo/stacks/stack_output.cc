#include "pgo/stacks/stack_output.h"

#include "converters/flame_graph/flame_page.h"
#include "converters/flame_graph/flame_svg.h"
#include "converters/flame_graph/flame_text.h"
#include "converters/folded/folded.h"
#include "converters/pprof/frame_pruning.h"
#include "converters/pprof/pprof_writer.h"
#include "pgo/base/file_name.h"
#include "pgo/base/gzip.h"
#include "pgo/base/number_text.h"
#include "pgo/profile/stack_selection.h"

namespace pgo {
namespace {

// Of the sample type that the profile shows by default.
Result<FlameTree> flame_tree_of(const StackProfile& profile) {
  PGO_TRY(StackProfile pruned, prune_frames(profile));
  const size_t type = shown_type(pruned);
  FlameTreeBuilder builder(1);
  builder.add_profile(pruned, type, 0);
  PGO_TRY(FlameTree tree, builder.build({}));
  tree.type = pruned.text(pruned.sample_types[type].type);
  tree.unit = pruned.text(pruned.sample_types[type].unit);
  return tree;
}

FlamePage flame_page_of(const StackProfile& profile, const FlameTree& tree) {
  FlamePage page;
  if (!profile.mappings.empty())
    page.title = std::string(file_name(profile.text(profile.mappings[0].filename))) + ", ";
  page.title += tree.type;
  page.facts = {{"Counted", tree.type + (tree.unit.empty() ? "" : "/" + tree.unit)},
                {"All", format_flame_value(tree, tree.sides[0].whole)},
                {"Stacks", format_count(tree.stacks)}};
  return page;
}

}  // namespace

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
    case Format::kFlamePage: {
      PGO_TRY(FlameTree tree, flame_tree_of(profile));
      return flame_html(tree, flame_page_of(profile, tree));
    }
    case Format::kFlamePicture: {
      PGO_TRY(FlameTree tree, flame_tree_of(profile));
      return flame_svg(tree, flame_page_of(profile, tree));
    }
    default: return fail(ErrorKind::kInternal, "this format is not one of stack profiles");
  }
}

}  // namespace pgo
