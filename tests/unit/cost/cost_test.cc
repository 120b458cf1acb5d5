#include "pgo/cost/cost.h"

#include <gtest/gtest.h>

#include <cmath>

#include "converters/address/address_profile_writer.h"
#include "converters/pprof/pprof_writer.h"
#include "tests/data/small_profiles.h"
#include "tests/data/small_stacks.h"
#include "tests/data/temporary_files.h"

namespace pgo::cost_test {
namespace {

class CostTest : public test::TemporaryFiles {
 protected:
  std::string write_stacks(const std::string& name, const std::vector<test::SmallSample>& samples,
                           const std::string& type = "samples",
                           const std::string& unit = "count") const {
    return write(name, write_pprof(test::small_stacks(samples, type, unit)));
  }

  // Two hosts: get calls seek, main calls both.
  std::vector<std::string> two_hosts() const {
    const std::string get = "/b/src/db/get.cc", seek = "/b/src/db/seek.cc";
    return {write_stacks("web-1.pb", {{{{"seek", seek}, {"get", get}, {"main"}}, 60, "web-1"},
                                      {{{"main"}}, 10, "web-1"}}),
            write_stacks("web-2.pb", {{{{"get", get}, {"main"}}, 20, "web-2"},
                                      {{{"", "", "libc.so.6"}, {"main"}}, 10, "web-2"}})};
  }

  std::string error_of(const CostRequest& request) const {
    Result<CostResult> result = cost(request);
    return result ? "no error" : relative(result.error().message);
  }

  // "name: share cumulative", in percent, one line a row.
  static std::string rows_of(const CostRequest& request) {
    Result<CostResult> result = cost(request);
    if (!result) return result.error().message;
    std::string text;
    for (const CostRow& row : result->rows)
      text += row.key.name + ": " + std::to_string(std::lround(100 * row.share)) + " " +
              std::to_string(std::lround(100 * row.cumulative)) +
              (row.team.empty() ? "" : " of " + row.team) + "\n";
    return text;
  }
};

TEST_F(CostTest, OrdersFunctionsByTheirOwnCost) {
  CostRequest request{.inputs = two_hosts()};
  EXPECT_EQ(rows_of(request),
            "seek: 60 60\n"
            "get: 20 80\n"
            "main: 10 100\n"
            "[libc.so.6]: 10 10\n");
  request.cumulative = true;
  EXPECT_EQ(rows_of(request),
            "main: 10 100\n"
            "get: 20 80\n"
            "seek: 60 60\n"
            "[libc.so.6]: 10 10\n");
}

TEST_F(CostTest, CountsProfilesHostsAndSamples) {
  Result<CostResult> result = cost({.inputs = two_hosts()});
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->type, "samples");
  EXPECT_EQ(result->profiles, 2u);
  EXPECT_EQ(result->hosts, 2u);
  EXPECT_DOUBLE_EQ(result->samples, 100);
  EXPECT_FALSE(result->has_teams);
  EXPECT_EQ(result->diagnostics.entries().at("code-without-names").messages[0],
            "10.0 % of the cost is in code without function names in libc.so.6: name its file "
            "with \xFF{binary}; if that is stripped, name its debug file, too, with "
            "\xFF{debug-file}");
}

TEST_F(CostTest, HasOtherRows) {
  CostRequest request{.inputs = two_hosts(), .by = RowsBy::kFile};
  EXPECT_EQ(rows_of(request),
            "/b/src/db/seek.cc: 60 60\n"
            "[unknown]: 20 100\n"
            "/b/src/db/get.cc: 20 80\n");
  request.by = RowsBy::kBinary;
  EXPECT_EQ(rows_of(request), "server: 90 100\nlibc.so.6: 10 10\n");
  request.by = RowsBy::kLabel;
  request.label = "host";
  EXPECT_EQ(rows_of(request), "web-1: 70 70\nweb-2: 30 30\n");
  request.label = "service";
  EXPECT_EQ(error_of(request), "no sample has the label 'service'");
}

TEST_F(CostTest, TakesServicesOffPaths) {
  write("p/query/web-1.folded", "main 3\n");
  write("p/storage/web-2.folded", "main 1\n");
  CostRequest request{.inputs = {path("p")},
                      .path_template = "{service}/{host}.folded",
                      .by = RowsBy::kLabel,
                      .label = "service"};
  EXPECT_EQ(rows_of(request), "query: 75 75\nstorage: 25 25\n");
  request.inputs = {path("p#service=stor*")};
  EXPECT_EQ(rows_of(request), "storage: 100 100\n");
}

TEST_F(CostTest, KnowsTheTeamsOfFunctions) {
  CostRequest request{.inputs = two_hosts()};
  ASSERT_TRUE(request.owners.add_path_pattern("/src/db/", "storage"));
  ASSERT_TRUE(request.owners.add_function_pattern("[libc*", "platform"));
  EXPECT_EQ(rows_of(request),
            "seek: 60 60 of storage\n"
            "get: 20 80 of storage\n"
            "main: 10 100\n"
            "[libc.so.6]: 10 10 of platform\n");
  request.by = RowsBy::kTeam;
  EXPECT_EQ(rows_of(request),
            "storage: 80 80\n"
            "(no team): 10 100\n"
            "platform: 10 10\n");
}

TEST_F(CostTest, GivesTheSameWhateverTheOrderAndTheThreads) {
  const std::vector<std::string> files = two_hosts();
  const std::string rows = rows_of({.inputs = files, .jobs = 1});
  EXPECT_EQ(rows_of({.inputs = {files[1], files[0]}, .jobs = 2}), rows);
  EXPECT_EQ(rows_of({.inputs = {directory()}, .jobs = 2}), rows);
}

TEST_F(CostTest, RefusesWhatIsNotCpuTime) {
  for (const char* type : {"alloc_space", "inuse_space", "delay", "wall", "instructions"}) {
    CostRequest request{.inputs = {write_stacks("a.pb", {{{{"f"}}, 5}}, type, "bytes")}};
    EXPECT_EQ(error_of(request),
              std::string("the profiles count ") + type +
                  "/bytes, which is not CPU time, so its shares are not shares of cores; name CPU "
                  "profiles (of cpu, cycles or the clock), or choose another type of these "
                  "profiles with \xFF{sample-type}");
  }
  for (const char* type : {"samples", "cpu", "cycles:u", "task-clock"}) {
    CostRequest request{.inputs = {write_stacks("a.pb", {{{{"f"}}, 5}}, type)}};
    EXPECT_EQ(rows_of(request), "f: 100 100\n") << type;
  }
}

// As single steps do, and perf for users who may not profile the kernel.
TEST_F(CostTest, SaysThatUserCodeIsNotAll) {
  CostRequest request{.inputs = {write_stacks("a.pb", {{{{"f"}}, 5}}, "cycles:u")}};
  EXPECT_EQ(cost(request)->diagnostics.entries().at("user-code-only").messages,
            std::vector<std::string>{"the profiles count user code only (cycles:u): shares are of "
                                     "that, and leave out the time in the kernel"});
  request.inputs = {write_stacks("a.pb", {{{{"f"}}, 5}}, "cycles")};
  EXPECT_FALSE(cost(request)->diagnostics.entries().contains("user-code-only"));
}

TEST_F(CostTest, TakesPcSamplesOfAddressProfiles) {
  const AddressProfile profile = test::pc_sample_profile(
      "0102030405060708", "/srv/server", {{.pc = ElfAddr{0x1000}, .samples = 2, .weight = 2000}});
  CostRequest request{.inputs = {write("a.addr", *write_address_profile(profile))}};
  EXPECT_EQ(rows_of(request), "[server]: 100 100\n");
}

TEST_F(CostTest, RefusesImpossibleRequests) {
  EXPECT_EQ(error_of({}), "name one or more profiles");
  const std::vector<std::string> inputs{write("a.folded", "f 1\n")};
  EXPECT_EQ(error_of({.inputs = inputs, .by = RowsBy::kLine}),
            "\xFF{by} line: costs of lines are not listed");
  EXPECT_EQ(error_of({.inputs = inputs, .by = RowsBy::kLabel}),
            "\xFF{by} label: the key of the label is missing");
  EXPECT_EQ(error_of({.inputs = inputs, .by = RowsBy::kTeam}),
            "\xFF{by} team: no teams are known; add [owners] to pgo.toml "
            "(\xFF{docs/reference/config.md}), or name the file with \xFF{config}");
  for (double cores : {0., -1., HUGE_VAL, std::nan("")})
    EXPECT_EQ(error_of({.inputs = inputs, .price = {.cores = cores}}),
              "\xFF{cores}: a number above 0 is expected, 1e9 at most");
  EXPECT_EQ(error_of({.inputs = inputs, .price = {.cores = 1, .core_hour = -1}}),
            "\xFF{core-hour}: a price from 0 to 1e9 is expected");
  EXPECT_EQ(error_of({.inputs = inputs, .traffic = 2}),
            "\xFF{traffic} needs the number of cores that are busy today (\xFF{cores})");
  EXPECT_EQ(error_of({.inputs = inputs, .price = {.cores = 1}, .traffic = 0}),
            "\xFF{traffic}: a number above 0 is expected, 1e6 at most");
}

TEST_F(CostTest, RefusesEventsOfBranches) {
  write_stacks("a.pb", {{{{"f"}}, 3}}, "br_inst_retired.near_taken:u");
  EXPECT_EQ(error_of({.inputs = {path("a.pb")}}),
            "a.pb: its event 'br_inst_retired.near_taken:u' counts branches, not cost: a "
            "profile-guided build takes fewer of them even if it is not faster; compare recordings "
            "of cycles or of the clock ('perf record -e cycles', 'pgo record \xFF{engine} clock')");
}

TEST_F(CostTest, SaysWhyThereIsNothing) {
  write_stacks("a.pb", {{{{"f"}}, 0}});
  EXPECT_EQ(error_of({.inputs = {path("a.pb")}}),
            "the input has no samples: was the program idle?");
  write_stacks("b.pb", {{{{"f"}}, 1, "web-1"}});
  EXPECT_EQ(error_of({.inputs = {path("b.pb#host=x")}}),
            "the input has no samples with the labels that are asked for after '#'; 'pgo show' "
            "lists the labels of a profile, and \xFF{path-template} takes labels from paths");
  write_stacks("c.pb", {{{}, 1}});
  EXPECT_EQ(error_of({.inputs = {path("c.pb")}}),
            "the samples have no frames, so there is nothing to list");
}

TEST_F(CostTest, DoesNotOverwriteItsInputs) {
  const std::string input = write("a.folded", "f 1\n");
  EXPECT_NE(error_of({.inputs = {input}, .outputs = {{input, "-o a.folded"}}}), "no error");
}

TEST(Price, TurnsSharesIntoCoresAndMoney) {
  const Price price{.cores = 1200, .core_hour = .04, .currency = "USD"};
  EXPECT_DOUBLE_EQ(*price.cores_of(.01), 12);
  EXPECT_DOUBLE_EQ(*price.money_of(1), 420768);  // 1200 * .04 * 8766
  EXPECT_DOUBLE_EQ(*price.money_of(.01), 4207.68);
  EXPECT_FALSE(Price{.cores = 1}.money_of(1));
  EXPECT_FALSE(Price{.core_hour = 1}.money_of(1));
  EXPECT_FALSE(Price{}.cores_of(1));
}

}  // namespace
}  // namespace pgo::cost_test
