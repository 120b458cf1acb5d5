#include "pgo/diff/stack_filter.h"

#include <gtest/gtest.h>

#include "converters/folded/folded.h"

namespace pgo::stack_filter_test {
namespace {

// Stacks of functions in server and libz.so, with tenants and sizes as labels:
//   main;parse 1 (red, 1 kB)   main;parse;inflate 2 (red, 4 kB)   main;write 4 (blue, 64 kB)
StackProfile profile() {
  StackProfile profile;
  auto text = [&](const char* name) { return profile.strings.add(name); };
  profile.sample_types = {{text("samples"), text("count")}};
  MappingId server = profile.add_mapping({.filename = text("/bin/server")});
  MappingId library = profile.add_mapping({.filename = text("/lib/libz.so")});
  auto place = [&](MappingId mapping, const char* name, const char* file, uint64_t address) {
    FunctionId function = profile.add_function({.name = text(name), .filename = text(file)});
    return profile.add_location({mapping, RuntimeAddr{address}}, {{function, 1, 0}});
  };
  LocationId main = place(server, "main", "main.cc", 1), parse = place(server, "parse", "in.cc", 2),
             inflate = place(library, "inflate", "z.c", 3),
             write = place(server, "write", "o.cc", 4);
  auto labels = [&](const char* tenant, int64_t bytes) {
    return profile.add_labels({{.key = text("tenant"), .text = text(tenant)},
                               {.key = text("size"), .unit = text("bytes"), .number = bytes}});
  };
  profile.add_sample({profile.add_stack({parse, main}), labels("red", 1024)}, {1});
  profile.add_sample({profile.add_stack({inflate, parse, main}), labels("red", 4096)}, {2});
  profile.add_sample({profile.add_stack({write, main}), labels("blue", 65536)}, {4});
  profile.normalize();
  return profile;
}

std::string filtered(const StackFilterOptions& options) {
  Result<StackFilter> filter = StackFilter::compile(options);
  if (!filter) return filter.error().message;
  StackProfile left = profile();
  filter->apply(left);
  left.normalize();
  Diagnostics diagnostics;
  Result<std::string> folded = write_folded(left, diagnostics);
  return folded ? *folded : "";
}

TEST(StackFilter, KeepsStacksWithAFrameThatMatches) {
  EXPECT_EQ(filtered({.focus = "pars"}), "main;parse 1\nmain;parse;inflate 2\n");
  EXPECT_EQ(filtered({.focus = "^o\\.cc$"}), "main;write 4\n");
  EXPECT_EQ(filtered({.focus = "libz"}), "main;parse;inflate 2\n");
  EXPECT_EQ(filtered({.focus = "nothing"}), "");
}

TEST(StackFilter, IgnoresStacksWithAFrameThatMatches) {
  EXPECT_EQ(filtered({.ignore = "inflate"}), "main;parse 1\nmain;write 4\n");
  EXPECT_EQ(filtered({.focus = "parse", .ignore = "inflate"}), "main;parse 1\n");
}

TEST(StackFilter, HidesFrames) {
  EXPECT_EQ(filtered({.hide = "parse"}), "main 1\nmain;inflate 2\nmain;write 4\n");
  EXPECT_EQ(filtered({.hide = "libz"}), "main;parse 3\nmain;write 4\n");
  EXPECT_EQ(filtered({.hide = "main|parse"}), "inflate 2\nwrite 4\n");
}

TEST(StackFilter, ShowsOnlyFramesThatMatch) {
  EXPECT_EQ(filtered({.show = "main"}), "main 7\n");
  EXPECT_EQ(filtered({.show = "libz"}), "inflate 2\n");
}

TEST(StackFilter, ChoosesByLabels) {
  EXPECT_EQ(filtered({.tag_focus = "tenant=red"}), "main;parse 1\nmain;parse;inflate 2\n");
  EXPECT_EQ(filtered({.tag_focus = "tenant:blue"}), "main;write 4\n");
  EXPECT_EQ(filtered({.tag_focus = "tenant=red,blue"}),
            "main;parse 1\nmain;parse;inflate 2\nmain;write 4\n");
  EXPECT_EQ(filtered({.tag_focus = "red,blue"}), "");
  EXPECT_EQ(filtered({.tag_ignore = "tenant=red"}), "main;write 4\n");
  EXPECT_EQ(filtered({.tag_focus = "host=red"}), "");
}

TEST(StackFilter, ChoosesByNumbersInLabels) {
  EXPECT_EQ(filtered({.tag_focus = "size=1kb"}), "main;parse 1\n");
  EXPECT_EQ(filtered({.tag_focus = "2kb:"}), "main;parse;inflate 2\nmain;write 4\n");
  EXPECT_EQ(filtered({.tag_focus = "size=:4096b"}), "main;parse 1\nmain;parse;inflate 2\n");
  EXPECT_EQ(filtered({.tag_focus = "2kb:8KB"}), "main;parse;inflate 2\n");
  EXPECT_EQ(filtered({.tag_focus = "4096"}), "main;parse;inflate 2\n");
  EXPECT_EQ(filtered({.tag_focus = "1ms:"}), "");
}

TEST(StackFilter, LeavesOutLabels) {
  Result<StackFilter> filter = StackFilter::compile({.tag_show = "ten"});
  StackProfile left = profile();
  filter->apply(left);
  for (size_t set = 0; set < left.labels.size(); set++)
    for (const StackLabel& label : left.labels[set]) EXPECT_EQ(left.text(label.key), "tenant");
}

TEST(StackFilter, RefusesWhatIsNoExpression) {
  EXPECT_EQ(filtered({.focus = "("}), "\xFF{focus} '(' is not a regular expression: missing ): (");
  EXPECT_EQ(filtered({.tag_ignore = "tenant=["}),
            "\xFF{tagignore} '[' is not a regular expression: missing ]: [");
}

}  // namespace
}  // namespace pgo::stack_filter_test
