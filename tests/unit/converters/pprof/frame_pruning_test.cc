#include "converters/pprof/frame_pruning.h"

#include <gtest/gtest.h>

#include "converters/folded/folded.h"

namespace pgo::frame_pruning_test {
namespace {

// Stacks as texts, root first; "a<b" is b inlined into a.
StackProfile made_of(const std::vector<std::string>& stacks, const std::string& drop,
                     const std::string& keep = "") {
  StackProfile profile;
  profile.sample_types = {{profile.strings.add("samples")}};
  profile.drop_frames = profile.strings.add(drop);
  profile.keep_frames = profile.strings.add(keep);
  for (const std::string& text : stacks) {
    std::vector<LocationId> stack;
    std::vector<StackLine> lines;
    for (size_t begin = 0; begin <= text.size();) {
      size_t end = std::min(text.find_first_of(";<", begin), text.size());
      FunctionId function =
          profile.add_function({profile.strings.add(text.substr(begin, end - begin))});
      lines.insert(lines.begin(), {function, 0, 0});
      if (end == text.size() || text[end] == ';') {
        stack.insert(stack.begin(), profile.add_location({}, lines));
        lines.clear();
      }
      begin = end + 1;
    }
    profile.add_sample({profile.add_stack(stack), profile.add_labels({})}, {1});
  }
  profile.normalize();
  return profile;
}

std::string pruned(const StackProfile& profile) {
  Result<StackProfile> result = prune_frames(profile);
  if (!result) return "error: " + result.error().message;
  EXPECT_EQ(result->check(), std::nullopt);
  Diagnostics diagnostics;
  return *write_folded(*result, diagnostics);
}

TEST(PruneFrames, DropsWhatADroppedFrameCalled) {
  EXPECT_EQ(pruned(made_of({"main;malloc;sbrk", "main;work"}, "malloc|free")),
            "main 1\nmain;work 1\n");
  EXPECT_EQ(pruned(made_of({"main;malloc;sbrk"}, "")), "main;malloc;sbrk 1\n");
  EXPECT_EQ(pruned(made_of({"main;mallocs;sbrk"}, "malloc")), "main;mallocs;sbrk 1\n");
}

TEST(PruneFrames, NotBeforeAFrameThatStays) {
  EXPECT_EQ(pruned(made_of({"start;main;start;work"}, "start")), "start;main 1\n");
  EXPECT_EQ(pruned(made_of({"start"}, "start")), "start 1\n");
}

TEST(PruneFrames, KeepsWhatIsToBeKept) {
  EXPECT_EQ(pruned(made_of({"main;malloc_hook;x", "main;malloc;x"}, "malloc.*", ".*_hook")),
            "main 1\nmain;malloc_hook;x 1\n");
}

TEST(PruneFrames, CutsWhatWasInlined) {
  EXPECT_EQ(pruned(made_of({"main;outer<malloc<inner;leaf"}, "malloc")), "main;outer 1\n");
  EXPECT_EQ(pruned(made_of({"main;malloc<inner;leaf"}, "malloc")), "main 1\n");
}

TEST(PruneFrames, NamesWithoutTheirArguments) {
  EXPECT_EQ(pruned(made_of(
                {"main;f(int);x", "main;(anonymous namespace)::f(int);x", "main;operator()(int);x"},
                "f|operator\\(\\)")),
            "main 2\nmain;(anonymous namespace)::f(int);x 1\n");
}

TEST(PruneFrames, SaysWhichExpressionIsNone) {
  EXPECT_EQ(pruned(made_of({"main"}, "(")),
            "error: drop_frames of the profile, '(', is not a regular expression: missing ): (");
}

}  // namespace
}  // namespace pgo::frame_pruning_test
