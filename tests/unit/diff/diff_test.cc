#include "pgo/diff/diff.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "converters/flame_graph/flame_svg.h"
#include "converters/pprof/pprof_writer.h"
#include "pgo/diff/folded_difference.h"
#include "pgo/report/diff_report.h"
#include "tests/data/temporary_files.h"

namespace pgo::diff_test {
namespace {

class DiffTest : public test::TemporaryFiles {
 protected:
  // A pprof of functions, each with its own samples, of one host.
  struct Function {
    const char* name;
    int64_t samples;
    const char* host;
  };
  std::string write_pprof_of(const std::string& name, const std::vector<Function>& functions,
                             const char* type = "samples", const char* program = nullptr) const {
    StackProfile profile;
    auto text = [&](const char* word) { return profile.strings.add(word); };
    profile.sample_types = {{text(type), text("count")}};
    uint64_t address = 0;
    MappingId mapping = kNoMapping;
    if (program != nullptr) mapping = profile.add_mapping({.filename = text(program)});
    for (const Function& function : functions) {
      FunctionId id =
          profile.add_function({.name = text(function.name), .system_name = text(function.name)});
      LocationId place = profile.add_location({mapping, RuntimeAddr{++address}}, {{id, 1, 0}});
      LabelsId labels = profile.add_labels({{.key = text("host"), .text = text(function.host)}});
      profile.add_sample({profile.add_stack({place}), labels}, {function.samples});
    }
    profile.normalize();
    return write(name, write_pprof(profile));
  }

  DiffRequest request(std::vector<std::string> before, std::vector<std::string> after) const {
    DiffRequest request;
    request.sides = {std::move(before), std::move(after)};
    request.jobs = 2;
    return request;
  }

  std::string error_of(const DiffRequest& request) const {
    Result<DiffResult> result = diff(request);
    if (result) return "no error";
    return relative(result.error().message);
  }

  static const DiffRow& row(const DiffResult& result, const std::string& name) {
    static const DiffRow kNone{{}, {.estimate = {{}, {}}}, {.estimate = {{}, {}}}};
    for (const DiffRow& one : result.rows)
      if (one.key.name == name) return one;
    ADD_FAILURE() << "no row " << name;
    return kNone;
  }
};

TEST_F(DiffTest, WarnsWhereOnlyOneSideNamesInlinedFunctions) {
  // A leaf, perhaps with a function inlined there, and its caller, perhaps with another.
  enum class Flag : uint8_t { kUnset, kSet };
  auto profile = [&](const std::string& name, bool in_leaf, bool in_caller, Flag flag) {
    StackProfile stacks;
    auto function = [&](const char* word) {
      const StringId id = stacks.strings.add(word);
      return StackLine{stacks.add_function({.name = id, .system_name = id}), 1, 0};
    };
    const StringId samples = stacks.strings.add("samples"), count = stacks.strings.add("count");
    stacks.sample_types = {{samples, count}};
    const MappingId mapping = stacks.add_mapping(
        {.filename = stacks.strings.add("server"), .has_inline_frames = flag == Flag::kSet});
    auto place = [&](uint64_t address, bool has_inlined, const char* outer) {
      std::vector<StackLine> lines;
      if (has_inlined) lines.push_back(function("inlined"));
      lines.push_back(function(outer));
      return stacks.add_location({mapping, RuntimeAddr{address}}, lines);
    };
    const LocationId leaf = place(1, in_leaf, "scan"), caller = place(2, in_caller, "main");
    stacks.add_sample({stacks.add_stack({leaf, caller}), stacks.add_labels({})}, {1000});
    stacks.normalize();
    return write(name, write_pprof(stacks));
  };
  const std::string inlined = profile("inlined.pb", true, false, Flag::kUnset);
  auto warnings = [&](const std::string& other) {
    size_t count = 0;
    for (const auto& [before, after] : {std::pair(inlined, other), std::pair(other, inlined)}) {
      const DiffResult result = diff(request({before}, {after})).value();
      EXPECT_TRUE(result.has_inlined_frames);
      count += result.diagnostics.entries().count("no-inlined-frames");
    }
    return count;
  };
  EXPECT_EQ(warnings(profile("none.pb", false, false, Flag::kUnset)), 2u);
  // Nothing is missing: nothing was inlined where samples were taken.
  EXPECT_EQ(warnings(profile("flag.pb", false, false, Flag::kSet)), 0u);
  EXPECT_EQ(warnings(profile("caller.pb", false, true, Flag::kUnset)), 0u);
}

TEST_F(DiffTest, ComparesSharesOfTwoProfiles) {
  DiffRequest two = request({write("a.folded", "main;f 600\nmain;g 400\n")},
                            {write("b.folded", "main;f 1500\nmain;g 500\n")});
  Result<DiffResult> result = diff(two);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->type, "samples");
  EXPECT_EQ(result->basis, verify::Basis::kSampling);
  const DiffRow& f = row(*result, "f");
  EXPECT_DOUBLE_EQ(f.flat.rate_a, .6);
  EXPECT_DOUBLE_EQ(f.flat.rate_b, .75);
  EXPECT_EQ(f.flat.verdict, verify::Verdict::kOnlySamplingKnown);
  EXPECT_DOUBLE_EQ(row(*result, "main").cumulative.rate_a, 1);
  EXPECT_DOUBLE_EQ(row(*result, "main").flat.rate_b, 0);
  EXPECT_FALSE(result->total);
}

TEST_F(DiffTest, ComparesValuesAndUnitsOfWork) {
  DiffRequest two =
      request({write("a.folded", "f 600\ng 400\n")}, {write("b.folded", "f 1500\ng 500\n")});
  two.measure = verify::Measure::kTotal;
  EXPECT_DOUBLE_EQ(row(*diff(two), "f").flat.difference(), 900);
  two.measure = verify::Measure::kPerUnit;
  two.units = {100, 250};
  Result<DiffResult> result = diff(two);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_DOUBLE_EQ(row(*result, "f").flat.rate_a, 6);
  EXPECT_DOUBLE_EQ(row(*result, "f").flat.rate_b, 6);
  ASSERT_TRUE(result->total);
  EXPECT_DOUBLE_EQ(result->total->rate_b, 8);
}

// Five hosts a side that differ by a few samples; one function doubles.
TEST_F(DiffTest, FindsWhatChangedByMoreThanHostsDiffer) {
  const int64_t noise[] = {-30, 10, 25, -15, 10};
  std::vector<std::string> before, after;
  for (int host = 0; host < 5; host++) {
    std::string name = "web-" + std::to_string(host);
    auto side = [&](const char* directory, int64_t hot, int64_t shift) {
      return write_pprof_of(std::string(directory) + "/" + name + ".pb",
                            {{"hot", hot + noise[host], name.c_str()},
                             {"steady", 3000 + noise[(host + shift) % 5], name.c_str()},
                             {"other", 6000 + noise[(host + 2 * shift) % 5], name.c_str()}});
    };
    before.push_back(side("before", 1000, 1));
    after.push_back(side("after", 2000, 2));
  }
  DiffRequest five = request({path("before")}, {path("after/*.pb")});
  Result<DiffResult> result = diff(five);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->basis, verify::Basis::kPairs);
  EXPECT_EQ(result->sides[0].members.size(), 5u);
  EXPECT_EQ(row(*result, "hot").flat.verdict, verify::Verdict::kChanged);
  EXPECT_EQ(result->rows[0].key.name, "hot");
  EXPECT_LT(row(*result, "hot").flat.q, .05);
}

TEST_F(DiffTest, TakesTheHostsOfAMergedProfileApart) {
  write_pprof_of("all.pb", {{"f", 10, "a"}, {"f", 20, "b"}, {"g", 30, "b"}, {"g", 5, "c"}});
  Result<DiffResult> result = diff(request({path("all.pb#host=[ab]")}, {path("all.pb#host=c")}));
  ASSERT_TRUE(result) << result.error().message;
  ASSERT_EQ(result->sides[0].members.size(), 2u);
  EXPECT_EQ(result->sides[0].members[0].host, "a");
  EXPECT_EQ(result->sides[0].members[0].weight, 10);
  EXPECT_EQ(result->sides[0].members[1].weight, 50);
  EXPECT_EQ(result->sides[1].members[0].weight, 5);
  EXPECT_EQ(error_of(request({path("all.pb")}, {path("all.pb#host=x")})),
            "the after side has no samples with the labels that are asked for after '#'; 'pgo "
            "show' lists the labels of a profile, and \xFF{path-template} takes labels off paths");
  // What two arguments name counts once.
  result = diff(request({path("all.pb#host=a"), path("all.pb#host=[ab]")}, {path("all.pb")}));
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->sides[0].weight, 60);
}

TEST_F(DiffTest, ReadsLabelsOffPaths) {
  write("p/1.41/web-1.folded", "f 10\n");
  write("p/1.42/web-1.folded", "f 20\n");
  DiffRequest by_path = request({path("p#version=1.41")}, {path("p#version=1.42")});
  by_path.path_template = "{version}/{host}.folded";
  Result<DiffResult> result = diff(by_path);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->sides[0].members[0].host, "web-1");
  EXPECT_EQ(result->sides[0].weight, 10);
  EXPECT_EQ(result->sides[1].weight, 20);
}

TEST_F(DiffTest, ComparesByNamesForPeopleWhereASideHasNoOthers) {
  write_pprof_of("a.pb", {{"_Z1fi", 10, ""}});
  write("b.folded", "f(int) 20\n");
  Result<DiffResult> result = diff(request({path("a.pb")}, {path("b.folded")}));
  ASSERT_TRUE(result) << result.error().message;
  ASSERT_EQ(result->rows.size(), 1u);
  EXPECT_EQ(result->rows[0].key.name, "f(int)");
}

// One name for people, two linkage names, both in one stack: it counts once.
TEST_F(DiffTest, CountsAStackOnceForANameThatIsTwoFunctions) {
  StackProfile profile;
  auto text = [&](const char* word) { return profile.strings.add(word); };
  profile.sample_types = {{text("samples"), text("count")}};
  std::vector<LocationId> stack;
  for (const char* name : {"_ZN1TC2Ev", "_ZN1TC1Ev"})
    stack.push_back(profile.add_location(
        {kNoMapping, RuntimeAddr{stack.size() + 1}},
        {{profile.add_function({.name = text(name), .system_name = text(name)}), 1, 0}}));
  profile.add_sample({profile.add_stack(stack), profile.add_labels({})}, {10});
  profile.normalize();
  write("a.pb", write_pprof(profile));
  write("b.folded", "T::T() 20\n");
  Result<DiffResult> result = diff(request({path("a.pb")}, {path("b.folded")}));
  ASSERT_TRUE(result) << result.error().message;
  ASSERT_EQ(result->rows.size(), 1u);
  EXPECT_DOUBLE_EQ(result->rows[0].cumulative.rate_a, 1);
  EXPECT_DOUBLE_EQ(result->rows[0].flat.rate_a, 1);
}

TEST_F(DiffTest, KeepsProgramsApartWhereASideHasSeveral) {
  write_pprof_of("a.pb", {{"main", 10, ""}}, "samples", "/srv/server");
  write_pprof_of("b/1.pb", {{"main", 10, ""}}, "samples", "/srv/server-2");
  write_pprof_of("b/2.pb", {{"main", 10, ""}}, "samples", "/srv/worker");
  Result<DiffResult> result = diff(request({path("a.pb")}, {path("b")}));
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->rows.size(), 3u);
}

TEST_F(DiffTest, GivesUnitsToProfilesThatHaveSamples) {
  write("a.folded", "f 10\n");
  write("b/1.folded", "f 10\n");
  write_pprof_of("b/2.pb", {{"f", 0, ""}});
  DiffRequest by_unit = request({path("a.folded")}, {path("b")});
  by_unit.measure = verify::Measure::kPerUnit;
  by_unit.units = {10, 10};
  Result<DiffResult> result = diff(by_unit);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_DOUBLE_EQ(row(*result, "f").flat.rate_b, 1);
}

TEST_F(DiffTest, FindsFilesThatWereBuiltElsewhere) {
  for (const char* build : {"1.41", "1.42"}) {
    StackProfile profile;
    auto text = [&](const std::string& word) { return profile.strings.add(word); };
    profile.sample_types = {{text("samples"), text("count")}};
    FunctionId f = profile.add_function(
        {.name = text("f"), .filename = text("/build/" + std::string(build) + "/f.cc")});
    LocationId place = profile.add_location({kNoMapping, RuntimeAddr{1}}, {{f, 1, 0}});
    profile.add_sample({profile.add_stack({place}), profile.add_labels({})}, {5});
    profile.normalize();
    write(std::string(build) + ".pb", write_pprof(profile));
  }
  DiffRequest by_file = request({path("1.41.pb")}, {path("1.42.pb")});
  by_file.by = RowsBy::kFile;
  Result<DiffResult> result = diff(by_file);
  ASSERT_TRUE(result) << result.error().message;
  ASSERT_EQ(result->rows.size(), 1u);
  EXPECT_EQ(result->rows[0].key.name, "/build/1.42/f.cc");
}

TEST_F(DiffTest, NamesFiltersAndLabelsThatMatchNothing) {
  write("a.folded", "f 10\n");
  DiffRequest filtered = request({path("a.folded")}, {path("a.folded")});
  filtered.filter.focus = "nosuch";
  EXPECT_EQ(error_of(filtered),
            "no sample of either side is left: the filters (\xFF{focus}, \xFF{tagfocus} and so on) "
            "match none, or stacks have no frames");
  DiffRequest by_label = request({path("a.folded")}, {path("a.folded")});
  by_label.by = RowsBy::kLabel;
  by_label.label = "nosuch";
  EXPECT_EQ(error_of(by_label), "no sample has the label 'nosuch'");
}

TEST_F(DiffTest, WarnsOfCopiesAndRefusesDifferences) {
  write("a.folded", "f 10\n");
  write("b/1.folded", "f 10\n");
  write("b/2.folded", "f 10\n");
  DiffRequest copies = request({path("a.folded")}, {path("b")});
  copies.wants_merged = true;
  Result<DiffResult> result = diff(copies);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_FALSE(result->diagnostics.entries().empty());
  write("difference.pb", write_pprof(*result->merged));
  EXPECT_EQ(error_of(request({path("a.folded")}, {path("difference.pb")})),
            "difference.pb: is a difference of two profiles; compare the profiles themselves");
  Diagnostics diagnostics;
  write("difference.folded", *folded_difference(*result->merged, "samples/count", diagnostics));
  EXPECT_EQ(error_of(request({path("a.folded")}, {path("difference.folded")})),
            "difference.folded: looks like a difference of two profiles: its lines end in two "
            "numbers, counts before and after ('main;work 12 15'); use the profiles themselves "
            "(flamegraph.pl draws the difference). If the first number belongs to the name, end "
            "the stack with ';' ('main;worker 12; 15')");
}

// Agents that count time, too, beside folded stacks.
TEST_F(DiffTest, WritesWhatAllProfilesCount) {
  StackProfile profile;
  auto text = [&](const char* word) { return profile.strings.add(word); };
  profile.sample_types = {{text("samples"), text("count")}, {text("cpu"), text("nanoseconds")}};
  LocationId place = profile.add_location({kNoMapping, RuntimeAddr{1}},
                                          {{profile.add_function({.name = text("f")}), 1, 0}});
  profile.add_sample({profile.add_stack({place}), profile.add_labels({})}, {3, 30});
  profile.normalize();
  write("a.pb", write_pprof(profile));
  write("b.folded", "f 5\n");
  EXPECT_EQ(
      error_of(request({path("a.pb")}, {path("b.folded")})),
      "b.folded: counts samples/count, but a.pb counts cpu/nanoseconds; choose a type that both "
      "count with \xFF{sample-type}: samples/count");
  DiffRequest samples = request({path("a.pb")}, {path("b.folded")});
  samples.sample_type = "samples";
  samples.wants_merged = true;
  Result<DiffResult> result = diff(samples);
  ASSERT_TRUE(result) << result.error().message;
  Diagnostics diagnostics;
  EXPECT_EQ(*folded_difference(*result->merged, "samples/count", diagnostics), "f 3 5\n");
  EXPECT_EQ(result->diagnostics.entries().count("left-out-types"), 1u);
}

TEST_F(DiffTest, GivesTheSameWithAnyNumberOfThreads) {
  for (int i = 0; i < 6; i++)
    write("p/" + std::to_string(i) + ".folded",
          "main;f " + std::to_string(100 + i) + "\nmain;g 50\n");
  write("q/1.folded", "main;f 10\n");
  std::string texts[2];
  for (unsigned jobs : {1u, 8u}) {
    DiffRequest both = request({path("p")}, {path("q")});
    both.jobs = jobs;
    Result<DiffResult> result = diff(both);
    ASSERT_TRUE(result) << result.error().message;
    texts[jobs == 8] = diff_json_text(diff_json(*result), *result);
  }
  EXPECT_EQ(texts[0], texts[1]);
}

// Addresses in the program that no function has a name for, under two names of it.
TEST_F(DiffTest, TakesNamelessCodeOfBothProgramsForOne) {
  for (const char* name : {"server", "server.bolt"}) {
    StackProfile profile;
    auto text = [&](const char* word) { return profile.strings.add(word); };
    profile.sample_types = {{text("samples"), text("count")}};
    MappingId mapping = profile.add_mapping({.filename = text(name)});
    LocationId place = profile.add_location({mapping, RuntimeAddr{1}}, {});
    profile.add_sample({profile.add_stack({place}), profile.add_labels({})}, {1000});
    profile.normalize();
    write(std::string(name) + ".pb", write_pprof(profile));
  }
  DiffRequest two = request({path("server.pb")}, {path("server.bolt.pb")});
  two.wants_graph = true;
  Result<DiffResult> result = diff(two);
  ASSERT_TRUE(result) << result.error().message;
  ASSERT_EQ(result->rows.size(), 1u);
  EXPECT_EQ(result->rows[0].key.name, "[server.bolt]");
  EXPECT_DOUBLE_EQ(result->rows[0].flat.difference(), 0);
  EXPECT_EQ(result->graph->functions.size(), 1u);
  EXPECT_EQ(result->diagnostics.entries().at("code-without-names").count, 2u);
}

TEST_F(DiffTest, TakesTheProgramsOfBothSidesForOne) {
  write_pprof_of("a.pb", {{"f", 10, ""}}, "samples", "/srv/server");
  write_pprof_of("b.pb", {{"f", 20, ""}}, "samples", "/srv/server.bolt");
  DiffRequest two = request({path("a.pb")}, {path("b.pb")});
  two.wants_graph = true;
  Result<DiffResult> result = diff(two);
  ASSERT_TRUE(result) << result.error().message;
  ASSERT_EQ(result->rows.size(), 1u);
  EXPECT_EQ(result->rows[0].key.binary, "server.bolt");
  ASSERT_EQ(result->graph->functions.size(), 1u);
  EXPECT_EQ(result->graph->functions[0].flat, (FlameValues{kFlameWhole, kFlameWhole}));
}

// A program that calls itself by another name, as a wrapper of llvm-bolt's output: the functions of
// both are in one stack, which would count twice if they were one.
TEST_F(DiffTest, KeepsProgramsApartWhereOneSideHasBoth) {
  StackProfile profile;
  auto text = [&](const char* word) { return profile.strings.add(word); };
  profile.sample_types = {{text("samples"), text("count")}};
  FunctionId f = profile.add_function({.name = text("f"), .system_name = text("f")});
  std::vector<LocationId> stack;
  for (const char* program : {"/srv/server", "/srv/server.bolt"}) {
    MappingId mapping = profile.add_mapping({.filename = text(program)});
    stack.push_back(profile.add_location({mapping, RuntimeAddr{1}}, {{f, 1, 0}}));
  }
  profile.add_sample({profile.add_stack(stack), profile.add_labels({})}, {10});
  profile.normalize();
  write("a.pb", write_pprof(profile));
  write_pprof_of("b.pb", {{"f", 20, ""}}, "samples", "/srv/server.bolt");
  Result<DiffResult> result = diff(request({path("a.pb")}, {path("b.pb")}));
  ASSERT_TRUE(result) << result.error().message;
  ASSERT_EQ(result->rows.size(), 2u);
  for (const DiffRow& row : result->rows) EXPECT_LE(row.cumulative.rate_a, 1);
}

TEST_F(DiffTest, RefusesWhatCannotBeCompared) {
  write_pprof_of("a.pb", {{"f", 10, ""}});
  write_pprof_of("heap.pb", {{"f", 10, ""}}, "objects");
  EXPECT_EQ(error_of(request({path("a.pb")}, {path("heap.pb")})),
            "heap.pb: counts objects/count, but a.pb counts samples/count: they count different "
            "things and cannot be compared");
  write("empty/x", "");
  EXPECT_EQ(error_of(request({path("empty")}, {path("a.pb")})).substr(0, 61),
            "the before side has no profile that can be read; skipped: emp");
  DiffRequest by_unit = request({path("a.pb")}, {path("a.pb")});
  by_unit.measure = verify::Measure::kPerUnit;
  EXPECT_EQ(error_of(by_unit), "each side needs a number of units of work above 0");
}

TEST_F(DiffTest, LeavesOutNegativeValuesWithAWarning) {
  write_pprof_of("a.pb", {{"f", 10, ""}, {"g", -5, ""}});
  Result<DiffResult> result = diff(request({path("a.pb")}, {path("a.pb")}));
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->sides[0].weight, 10);
  write_pprof_of("b.pb", {{"f", 9, ""}, {"g", -5, ""}, {"h", -6, ""}});
  auto warnings = [&](const DiffResult& of) {
    std::string text;
    for (const std::string& message : of.diagnostics.entries().at("negative-values").messages)
      text += relative(message) + "\n";
    return text;
  };
  result = diff(request({path("a.pb")}, {write("c.folded", "f 3\n")}));
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(warnings(*result),
            "a.pb: 1 sample with a negative value is left out; is the file a difference of "
            "profiles already?\n");
  result = diff(request({path("a.pb")}, {path("b.pb")}));
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(warnings(*result),
            "a.pb and 1 other file: 3 samples with negative values are left out; are the files "
            "differences of profiles already?\n");
}

// One host more on one side: with little weight it is left out, with much there are no pairs.
TEST_F(DiffTest, SaysHowManyPairsThereAreOrWhyNone) {
  for (const char* host : {"a", "b", "c", "d"})
    for (const char* side : {"before", "after"})
      write_pprof_of(std::string(side) + "/" + host + ".pb",
                     {{"f", *host == 'd' ? 10 : 100, host}, {"g", 100, host}});
  auto compare = [&](const std::string& before, const std::string& after) {
    Result<DiffResult> result = diff(request({path(before)}, {path(after)}));
    EXPECT_TRUE(result) << result.error().message;
    return *std::move(result);
  };
  auto notes = [&](const DiffResult& result) {
    std::string text;
    for (const Message& message : diff_messages(result))
      if (message.text.find(" pairs") != std::string::npos)
        text += message.text.substr(0, message.text.find('.')) + "\n";
    return text;
  };
  EXPECT_EQ(notes(compare("before", "after")),
            "Profiles of the same host are compared in pairs, 4 in all\n");
  EXPECT_EQ(notes(compare("before", "after/[ab].pb")),
            "Profiles are not compared in pairs: only 2 hosts are on both sides, and 3 are "
            "needed\n");
  write_pprof_of("after/d.pb", {{"f", 10'000, "d"}});
  EXPECT_EQ(notes(compare("before/[abc].pb", "after")),
            "Profiles are not compared in pairs: the 3 hosts on both sides have 5\n");
  write("x/1.folded", "f 10\n"), write("x/2.folded", "f 11\n"), write("x/3.folded", "f 12\n");
  EXPECT_EQ(notes(compare("before", "x")),
            "Profiles are not compared in pairs: the profiles of the after side do not name their "
            "hosts; add the label 'host', or take it from paths with \xFF{path-template}\n");
  // One profile needs no reason.
  EXPECT_EQ(notes(compare("before", "x/1.folded")), "");
}

TEST_F(DiffTest, CountsProfilesThatAreLeftOut) {
  for (const char* host : {"a", "b", "c", "d"}) {
    write_pprof_of(std::string("before/") + host + ".pb", {{"f", *host == 'd' ? 10 : 100, host}});
    if (*host != 'd') write_pprof_of(std::string("after/") + host + ".pb", {{"f", 100, host}});
  }
  Result<DiffResult> result = diff(request({path("before")}, {path("after")}));
  ASSERT_TRUE(result) << result.error().message;
  const std::string text = relative(diff_text(*result, {}));
  EXPECT_NE(text.find("before        4 profiles of 4 hosts, 1 left out, 310 samples: before\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("after         3 profiles of 3 hosts, 300 samples: after\n"),
            std::string::npos)
      << text;
}

TEST_F(DiffTest, DrawsBothSidesInShares) {
  DiffRequest two = request({write("a.folded", "main;f 600\nmain;g 400\n")},
                            {write("b.folded", "main;f 1500\nmain;g 500\n")});
  two.wants_graph = two.wants_merged = true;
  Result<DiffResult> result = diff(two);
  ASSERT_TRUE(result) << result.error().message;
  const FlameTree& tree = *result->graph;
  EXPECT_TRUE(tree.in_shares);
  EXPECT_EQ(tree.nodes[0].total, (FlameValues{kFlameWhole, kFlameWhole}));
  for (const FlameFunction& function : tree.functions)
    if (tree.frames[function.frame].name == "f") {
      EXPECT_EQ(function.flat, (FlameValues{kFlameWhole * 6 / 10, kFlameWhole * 3 / 4}));
      EXPECT_EQ(function.flat_certainty.mark, FlameMark::kSamplingOnly);
    }
  EXPECT_TRUE(flame_svg(tree, diff_page(*result)));
  Diagnostics diagnostics;
  EXPECT_EQ(*folded_difference(*result->merged, "samples/count", diagnostics),
            "main;f 600 1500\nmain;g 400 500\n");
}

TEST_F(DiffTest, IsReportedAsTextMarkdownAndJson) {
  DiffRequest two = request({write("a.folded", "main;f 600\nmain;g|h 400\n")},
                            {write("b.folded", "main;f 1500\nmain;g|h 500\n")});
  Result<DiffResult> result = diff(two);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(relative(diff_text(*result, {.top = 1})),
            "  compared      samples/count, in shares of each side, by function\n"
            "  before        1 profile, 1 000 samples: a.folded\n"
            "  after         1 profile, 2 000 samples: b.folded\n"
            "\n"
            "   BEFORE    AFTER    CHANGE         95 % INTERVAL        Q        VERDICT  FUNCTION\n"
            "  60.00 %  75.00 %  +15.00 %  +11.38 % to +18.58 %  < 0.001  sampling only  f\n"
            "  ... and 1 further row\n");
  std::string markdown = diff_markdown(*result, {.top = 5});
  EXPECT_NE(markdown.find("| 40.00 % | 25.00 % | -15.00 % |"), std::string::npos);
  EXPECT_NE(markdown.find("| `g\\|h` |"), std::string::npos);
  nlohmann::json json = nlohmann::json::parse(diff_json_text(diff_json(*result), *result));
  ASSERT_EQ(json["rows"].size(), 3u);
  EXPECT_EQ(json["rows"][0]["name"], "f");
  EXPECT_DOUBLE_EQ(json["rows"][0]["flat"]["after"], .75);
  EXPECT_EQ(json["basis"], "sampling");
  EXPECT_EQ(diff_messages(*result)[0].text.substr(0, 22), "With one profile per s");
}

}  // namespace
}  // namespace pgo::diff_test
