#include "pgo/diff/diff.h"

#include <gtest/gtest.h>

#include "tests/unit/diff/diff_fixture.h"

namespace pgo::diff_test {
namespace {

class DiffTest : public test::DiffFixture {};

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
            "show' lists the labels of a profile, and \xFF{path-template} takes labels from paths");
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

}  // namespace
}  // namespace pgo::diff_test
