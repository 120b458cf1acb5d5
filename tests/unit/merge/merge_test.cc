#include "pgo/merge/merge.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "converters/address/address_profile_writer.h"
#include "converters/pprof/pprof_reader.h"
#include "converters/pprof/pprof_writer.h"
#include "pgo/base/inflate.h"
#include "pgo/report/merge_report.h"
#include "tests/data/temporary_files.h"

namespace pgo::merge_test {
namespace {

class MergeTest : public test::TemporaryFiles {
 protected:
  // Of `names` into one output of `format`, on one thread.
  MergeRequest request(const std::vector<std::string>& names,
                       Format format = Format::kFolded) const {
    MergeRequest request;
    for (const std::string& name : names) request.inputs.push_back(path(name));
    request.outputs = {{format, path("merged")}};
    request.jobs = 1;
    return request;
  }

  // The first output; of an error its message and advice. Without the path of the directory.
  std::string merged(const MergeRequest& request) const {
    Result<MergeResult> result = merge(request);
    if (result) return result->outputs[0].contents;
    const Error& error = result.error();
    return relative(error.message + (error.advice.empty() ? "" : "; " + error.advice));
  }

  InputWeight weight(const std::string& name, uint64_t numerator, uint64_t denominator = 1) const {
    return {path(name), {numerator, denominator}, "\xFF{weight} " + name};
  }
};

// `count` samples in work_HOST() on `host`, of a recording of `seconds`.
std::string pprof(int64_t count, const std::string& host, int64_t seconds) {
  StackProfile profile;
  auto text = [&](std::string_view words) { return profile.strings.add(words); };
  profile.sample_types = {{text("samples"), text("count")}};
  profile.duration = seconds * 1'000'000'000;
  FunctionId work = profile.add_function({text("work_" + host)});
  LocationId place = profile.add_location({kNoMapping, RuntimeAddr{0x9000}}, {{work, 3, 0}});
  LabelsId labels = profile.add_labels({{.key = text("host"), .text = text(host)}});
  profile.add_sample({profile.add_stack({place}), labels}, {count});
  profile.normalize();
  return write_pprof(profile);
}

std::string address_profile(const std::string& id, uint64_t count) {
  AddressProfile profile;
  BinaryCounts server;
  server.id = *BuildId::from_hex(id);
  server.path_hint = "/bin/server";
  server.traces = {{ElfAddr{0x10}, ElfAddr{0x20}, ElfAddr{0x30}, TraceReading::kBoth, count}};
  profile.binaries = {server};
  profile.samples.seen = profile.samples.used = count;
  profile.branches.seen = profile.branches.used = count;
  profile.normalize();
  return write_address_profile(profile).value();
}

constexpr const char* kFirstId = "00112233445566778899";
constexpr const char* kSecondId = "aa112233445566778899";

TEST_F(MergeTest, AddsUpStacks) {
  write("a", "main;work 10\nmain 1\n");
  write("b", "main;work 30\n");
  EXPECT_EQ(merged(request({"a", "b"})), "main 1\nmain;work 40\n");
  Result<MergeResult> result = merge(request({"a", "b"}));
  ASSERT_TRUE(result);
  EXPECT_EQ(result->inputs, 2u);
  const auto& stacks = std::get<MergedStacks>(result->merged);
  EXPECT_EQ(stacks.samples, 2u);
  EXPECT_EQ(stacks.totals, (std::vector<SampleTotal>{{"samples", "count", 41}}));
}

TEST_F(MergeTest, AddsUpAddressesByBuild) {
  write("a", address_profile(kFirstId, 30));
  write("b", address_profile(kSecondId, 10));
  MergeRequest both = request({"a", "b"}, Format::kAddressProfile);
  Result<MergeResult> result = merge(both);
  ASSERT_TRUE(result);
  const auto& addresses = std::get<MergedAddresses>(result->merged);
  EXPECT_EQ(addresses.rows, 2u);
  EXPECT_EQ(addresses.figures.samples.used, 40u);
  ASSERT_EQ(result->builds.size(), 2u);
  EXPECT_EQ(result->builds[0].id, kFirstId);
  EXPECT_EQ(result->builds[0].count, 30u);
  EXPECT_EQ(result->builds[0].total, 40u);

  both.builds = {*BuildId::from_hex(kSecondId)};
  result = merge(both);
  ASSERT_TRUE(result);
  ASSERT_EQ(result->builds.size(), 1u);
  EXPECT_EQ(result->builds[0].count, 10u);
}

TEST_F(MergeTest, AddsUpLlvmSamples) {
  write("a", "main:10:1\n 1: 10\n");
  write("b", "main:5:2\n 1: 5\n");
  EXPECT_EQ(merged(request({"a", "b"}, Format::kLlvmText)), "main:15:3\n 1: 15\n");
  MergeRequest weighted = request({"a", "b"}, Format::kLlvmText);
  weighted.weights = {weight("b", 2)};
  EXPECT_EQ(merged(weighted), "main:20:5\n 1: 20\n");
  weighted.weights = {weight("b", 3, 2)};
  EXPECT_EQ(merged(weighted),
            "\xFF{weight} b: LLVM sample profiles take whole weights of 1 or more");
}

TEST_F(MergeTest, KeepsCountsByVtableWhereTheFormHasAPlaceForThem) {
  write("a", "main:9:1\n 1: 4 foo:4\n 1: vtables _ZTV1A:3 _ZTV1B:1\n");
  write("b", "main:2:1\n 1: 2 foo:2\n 1: vtables _ZTV1B:2\n");
  const std::string expected = "main:11:2\n 1: 6 foo:6\n 1: vtables _ZTV1A:3 _ZTV1B:3 \n";
  EXPECT_EQ(merged(request({"a", "b"}, Format::kLlvmText)), expected);
  Result<MergeResult> result = merge(request({"a", "b"}, Format::kLlvm));
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->diagnostics.entries().empty());
  write("c", result->outputs[0].contents);
  EXPECT_EQ(merged(request({"c"}, Format::kLlvmText)), expected);

  result = merge(request({"a", "b"}, Format::kLlvmBinary));
  ASSERT_TRUE(result);
  ASSERT_EQ(result->diagnostics.entries().size(), 1u);
  EXPECT_EQ(
      relative(result->diagnostics.entries().at("lost-vtables").messages[0]),
      "merged: LLVM's binary form has no place for the counts by vtable of the inputs; use "
      "the extensible binary form (\xFF{output} llvm:PATH) or text (\xFF{output} llvm-text:PATH)");
}

TEST_F(MergeTest, WeighsInputs) {
  write("a", "main 10\n");
  write("b", "work 30\n");
  MergeRequest weighted = request({"a", "b"});
  weighted.weights = {weight("a", 3, 2)};
  EXPECT_EQ(merged(weighted), "main 15\nwork 30\n");
  weighted.weights = {weight("a", 2), weight("a", 3)};
  EXPECT_EQ(merged(weighted), "\xFF{weight} a: a has a weight already, by \xFF{weight} a");
  weighted.weights = {weight("a", 0)};
  EXPECT_EQ(merged(weighted),
            "\xFF{weight} a: a weight is a fraction of two numbers from 1 to 1000000");
  weighted.inputs.pop_back();
  weighted.weights = {weight("b", 2)};
  EXPECT_EQ(merged(weighted), "\xFF{weight} b: b is not an input");
  weighted.weights = {weight("a", 1, 1000)};
  EXPECT_EQ(merged(weighted),
            "nothing is left: the inputs contain no counts, or all of them are rounded to 0, "
            "because \xFF{weight} a=1/1000 is below 1; use weights of 1 or more");
}

TEST_F(MergeTest, NormalizesStacks) {
  write("a", pprof(10, "one", 1));
  write("b", pprof(20, "one", 1));
  write("c", pprof(90, "two", 4));
  auto normalized = [&](Normalization normalization) {
    MergeRequest all = request({"a", "b", "c"});
    all.normalization = normalization;
    return merged(all);
  };
  // Each input counts 120 / 3 = 40.
  EXPECT_EQ(normalized(Normalization::kSamples), "work_one 80\nwork_two 40\n");
  // Each host counts 120 / 2 = 60.
  EXPECT_EQ(normalized(Normalization::kHost), "work_one 60\nwork_two 60\n");
  // Each input lasts 6 s / 3 = 2 s: 10 * 2 + 20 * 2, and 90 / 2.
  EXPECT_EQ(normalized(Normalization::kDuration), "work_one 60\nwork_two 45\n");
}

TEST_F(MergeTest, NormalizesAddresses) {
  write("a", address_profile(kFirstId, 30));
  write("b", address_profile(kSecondId, 10));
  MergeRequest both = request({"a", "b"}, Format::kAddressProfile);
  both.normalization = Normalization::kSamples;
  Result<MergeResult> result = merge(both);
  ASSERT_TRUE(result);
  for (const BuildShare& build : result->builds) EXPECT_EQ(build.count, 20u);
  both.normalization = Normalization::kHost;
  EXPECT_EQ(merged(both),
            "address profiles do not say how long or on which host they were recorded; use "
            "\xFF{normalize} samples");
}

TEST_F(MergeTest, RefusesToNormalizeWithoutDurationOrHost) {
  write("a", "main 10\n");
  MergeRequest one = request({"a"});
  one.normalization = Normalization::kDuration;
  EXPECT_EQ(merged(one),
            "a: does not say how long it was recorded, which \xFF{normalize} duration needs; use "
            "\xFF{normalize} samples");
  one.normalization = Normalization::kHost;
  one.host_label = "pod";
  EXPECT_EQ(
      merged(one),
      "a: has no host, by its label 'pod'; \xFF{normalize} host needs one for each input, and "
      "\xFF{host-label} names the label");
}

TEST_F(MergeTest, ChangesLabels) {
  write("a", pprof(1, "one", 1));
  MergeRequest one = request({"a"}, Format::kPprofPlain);
  EXPECT_NE(merged(one).find("host"), std::string::npos);
  one.labels.renamed["host"] = "pod";
  EXPECT_NE(merged(one).find("pod"), std::string::npos);
  one.labels.dropped = {"*"};
  EXPECT_EQ(merged(one).find("pod"), std::string::npos);
}

TEST_F(MergeTest, NeitherOrderNorThreadsMatter) {
  std::vector<std::string> stacks, addresses;
  for (int i = 0; i < 7; i++) {
    stacks.push_back("s" + std::to_string(i));
    write(stacks.back(), pprof(10 + i * i, i % 2 == 0 ? "one" : "two", 1 + i));
    addresses.push_back("a" + std::to_string(i));
    write(addresses.back(),
          address_profile(i % 3 == 0 ? kFirstId : kSecondId, static_cast<uint64_t>(5 + i)));
  }
  auto check = [&](std::vector<std::string> names, Format format, Normalization normalization) {
    std::string first;
    for (unsigned jobs : {1u, 2u, 5u}) {
      std::rotate(names.begin(), names.begin() + jobs, names.end());
      MergeRequest all = request(names, format);
      all.normalization = normalization;
      all.weights = {weight(names[0].substr(0, 1) + "3", 7, 3)};
      all.jobs = jobs;
      std::string bytes = merged(all);
      if (first.empty()) first = bytes;
      EXPECT_EQ(bytes, first) << jobs;
    }
  };
  check(stacks, Format::kPprofPlain, Normalization::kNone);
  check(stacks, Format::kPprofPlain, Normalization::kHost);
  check(addresses, Format::kAddressProfile, Normalization::kSamples);
}

TEST_F(MergeTest, SkipsOtherKindsInADirectory) {
  write("all/a", "main 10\n");
  write("all/text", "no profile");
  Result<MergeResult> result = merge(request({"all"}));
  ASSERT_TRUE(result);
  EXPECT_EQ(result->inputs, 1u);
  const auto& warnings = result->diagnostics.entries();
  ASSERT_TRUE(warnings.contains("not-a-profile"));
  EXPECT_EQ(relative(warnings.at("not-a-profile").messages[0]),
            "all/text: was skipped: not a stack profile");
}

TEST_F(MergeTest, WarnsOfCopies) {
  write("a", "main 10\n");
  write("b", "main 10\n");
  Result<MergeResult> result = merge(request({"a", "b"}));
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->diagnostics.entries().contains("copy"));
}

TEST_F(MergeTest, RefusesFoldedDifferences) {
  write("a", "main;work 10\n");
  write("b", "main;work 10 12\nmain 0 3\n");
  EXPECT_EQ(merged(request({"a", "b"})),
            "b: looks like a difference of two profiles: its lines end in two numbers, counts "
            "before and after ('main;work 12 15'); use the profiles themselves (flamegraph.pl "
            "draws the difference). If the first number belongs to the name, end the stack with "
            "';' ('main;worker 12; 15')");
}

TEST_F(MergeTest, RefusesRequestsThatContradictThemselves) {
  write("a", "main 10\n");
  MergeRequest none = request({"a"});
  none.outputs.clear();
  EXPECT_EQ(merged(none), "there is no output; name one with \xFF{output}");
  MergeRequest two = request({"a"});
  two.outputs = {{Format::kFolded, "x.folded"}, {Format::kAddressProfile, "x.addr"}};
  EXPECT_EQ(merged(two),
            "\xFF{output} x.folded is of stack profiles, \xFF{output} x.addr of address profiles: "
            "they are "
            "merged from different inputs");
  MergeRequest host = request({"a"});
  host.host_label = "pod";
  EXPECT_EQ(merged(host), "\xFF{host-label} pod is for \xFF{normalize} host, which was not given");
  MergeRequest types = request({"a"}, Format::kAddressProfile);
  types.sample_types = {"cpu"};
  EXPECT_EQ(merged(types), "\xFF{sample-type} does not apply to address profiles");
  MergeRequest builds = request({"a"}, Format::kLlvm);
  builds.builds = {*BuildId::from_hex(kFirstId)};
  EXPECT_EQ(merged(builds), "\xFF{build-id} does not apply to LLVM sample profiles");
}

TEST_F(MergeTest, RefusesToWriteOverInputs) {
  write("a", "main 10\n");
  MergeRequest over = request({"a"});
  over.outputs[0].path = path("a");
  EXPECT_EQ(merged(over), "\xFF{output} a would replace a, which is read");
  MergeRequest twice = request({"a"});
  twice.other_files = {{path("merged"), "the report"}};
  EXPECT_EQ(merged(twice),
            "merged would be written twice, by \xFF{output} merged and by the report; name another "
            "file");
}

TEST_F(MergeTest, SaysWhyNothingIsLeft) {
  write("zero", "main 0\n");
  write("a", "main 10\n");
  write("other/text", "no profile");
  write("x", address_profile(kFirstId, 3));
  EXPECT_EQ(merged(request({"zero"})),
            "no sample of the inputs has a value: were the programs idle?");
  MergeRequest builds = request({"a"});
  builds.builds = {*BuildId::from_hex(kFirstId)};
  EXPECT_EQ(merged(builds),
            "no input has samples of the builds that \xFF{build-id} names; 'pgo show' lists the "
            "builds of a profile");
  EXPECT_EQ(merged(request({"other"})), "no input is a stack profile");
  EXPECT_EQ(merged(request({"other"}, Format::kLlvm)), "no input is an LLVM sample profile");
  EXPECT_EQ(merged(request({"other"}, Format::kAddressProfile)),
            "no input is an address profile, and only those are merged into one; 'pgo convert' "
            "makes them of recordings and pprof (\xFF{binary}, \xFF{output} x.addr)");
  MergeRequest absent = request({"x"}, Format::kAddressProfile);
  absent.builds = {*BuildId::from_hex(kSecondId)};
  EXPECT_EQ(merged(absent),
            "no input has counts of the builds that \xFF{build-id} names; 'pgo show' lists the "
            "builds of a profile");
}

TEST_F(MergeTest, TheReportHasTheFigures) {
  write("a", address_profile(kFirstId, 30));
  write("b", address_profile(kSecondId, 10));
  Result<MergeResult> result = merge(request({"a", "b"}, Format::kAddressProfile));
  ASSERT_TRUE(result);
  nlohmann::json json = merge_json(*result);
  EXPECT_EQ(json["inputs"], 2);
  EXPECT_EQ(json["builds"].size(), 2u);
  EXPECT_EQ(json["outputs"], nlohmann::json::array({path("merged")}));
  std::vector<std::string> texts;
  for (const Message& message : merge_messages(*result)) texts.push_back(message.text);
  EXPECT_EQ(texts, (std::vector<std::string>{
                       "2 address profiles: 2 different traces and addresses",
                       "75.0 % in build " + std::string(kFirstId) + " (/bin/server)",
                       "25.0 % in build " + std::string(kSecondId) + " (/bin/server)"}));

  write("c", "main:10:1\n 1: 10\n");
  result = merge(request({"c"}, Format::kLlvmText));
  ASSERT_TRUE(result);
  EXPECT_EQ(merge_json(*result)["functions"], 1);
  EXPECT_EQ(merge_messages(*result)[0].text, "1 LLVM sample profile: 1 function");
}

// One sample with these labels, in a file below /build.
std::string labelled(const Labels& labels) {
  StackProfile profile;
  auto text = [&](std::string_view words) { return profile.strings.add(words); };
  profile.sample_types = {{text("samples"), text("count")}};
  FunctionId work = profile.add_function({text("work"), {}, text("/build/src/a.cc")});
  LocationId place = profile.add_location({kNoMapping, RuntimeAddr{0x9000}}, {{work, 3, 0}});
  std::vector<StackLabel> set;
  for (const auto& [key, value] : labels)
    set.push_back({.key = text(key), .text = text(value), .unit = {}});
  profile.add_sample({profile.add_stack({place}), profile.add_labels(set)}, {1});
  profile.normalize();
  return write_pprof(profile);
}

StackProfile parsed(const std::string& contents) {
  Diagnostics diagnostics;
  InflatedBytes bytes =
      inflate({reinterpret_cast<const uint8_t*>(contents.data()), contents.size()}, "merged")
          .value();
  return parse_pprof(bytes.bytes(), "merged", diagnostics).value();
}

// The keys of all labels, and the warnings.
std::string keys_of(const MergeRequest& request) {
  Result<MergeResult> result = merge(request);
  if (!result) return result.error().message;
  const StackProfile profile = parsed(result->outputs[0].contents);
  std::set<std::string> keys;
  for (size_t set = 0; set < profile.labels.size(); set++)
    for (const StackLabel& label : profile.labels[set])
      keys.insert(std::string(profile.text(label.key)));
  std::string text;
  for (const std::string& key : keys) text += key + " ";
  for (const auto& [kind, entry] : result->diagnostics.entries()) text += kind + "\n";
  return text;
}

TEST_F(MergeTest, LeavesOutLabelsThatMayNameUsers) {
  write("a.pb", labelled({{"user", "eve"}, {"host", "web-1"}, {"session", "1"}}));
  MergeRequest asked = request({"a.pb"}, Format::kPprof);
  EXPECT_EQ(keys_of(asked), "host user-labels\n");
  EXPECT_EQ(relative(merge(asked)->diagnostics.entries().at(kUserLabels).messages[0]),
            "a.pb: left out labels that may name users: 'session', 'user' (\xFF{allow-label} KEY "
            "keeps one)");
  asked.allowed_labels = {"user", "session"};
  EXPECT_EQ(keys_of(asked), "host session user ");
  asked.allowed_labels = {};
  asked.labels.kept = {{"user"}};  // asked for by name
  EXPECT_EQ(keys_of(asked), "user ");
  asked.labels.kept.reset();
  asked.labels.dropped = {"*"};
  EXPECT_EQ(keys_of(asked), "");  // the others were asked to go
}

TEST_F(MergeTest, LeavesOutLabelsWithManyValues) {
  std::vector<std::string> names;
  for (int i = 0; i < 1001; i++) {
    names.push_back("many/" + std::to_string(i) + ".pb");
    write(names.back(), labelled({{"request", std::to_string(i)}, {"zone", "a"}}));
  }
  MergeRequest asked = request({"many"}, Format::kPprof);
  EXPECT_EQ(keys_of(asked), "zone many-label-values\n");
  EXPECT_EQ(parsed(merged(asked)).samples.size(), 1u);
  asked.allowed_labels = {"request"};
  EXPECT_EQ(keys_of(asked), "request zone ");
}

TEST_F(MergeTest, TrimsSourcePathsOnRequest) {
  write("a.pb", labelled({}));
  MergeRequest asked = request({"a.pb"}, Format::kPprof);
  asked.trimmed_paths = {"/build"};
  const StackProfile profile = parsed(merged(asked));
  EXPECT_EQ(profile.text(profile.functions[0].filename), "src/a.cc");
  write("x.addr", address_profile(kFirstId, 3));
  MergeRequest other = request({"x.addr"}, Format::kAddressProfile);
  other.trimmed_paths = {"/build"};
  EXPECT_EQ(merged(other), "\xFF{trim-path} does not apply to address profiles");
  other.trimmed_paths = {};
  other.allowed_labels = {"user"};
  EXPECT_EQ(merged(other), "\xFF{allow-label} does not apply to address profiles");
}

}  // namespace
}  // namespace pgo::merge_test
