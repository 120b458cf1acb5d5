#include "pgo/report/convert_report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace pgo::convert_report_test {
namespace {

// A hundred samples were chosen, and as many of another event.
ConvertResult converted() {
  ConvertResult result;
  result.profile.samples.seen = 200;
  result.profile.samples.used = 30;
  result.profile.samples[Dropped::kOtherEvent] = 100;
  result.profile.samples[Dropped::kOtherBinary] = 70;
  return result;
}

std::vector<std::string> notes_of(const ConvertResult& result) {
  std::vector<std::string> texts;
  for (const Message& message : convert_messages(result)) texts.push_back(message.text);
  texts.erase(texts.begin());  // the funnel
  return texts;
}

perf_data::OtherFile other(const std::string& path, uint64_t samples) {
  return {{path, *BuildId::from_hex("0011223344556677")}, samples};
}

TEST(ConvertReport, NamesOtherBinariesThatHadSamples) {
  ConvertResult result = converted();
  result.others = {other("/opt/libnghttp2.so.14", 28), other("/lib/libc.so.6", 20),
                   other("/lib64/ld-linux-x86-64.so.2", 9), other("/opt/libz.so.1", 2),
                   other("/opt/rare.so", 1)};
  EXPECT_EQ(notes_of(result),
            (std::vector<std::string>{
                "/opt/libnghttp2.so.14: has 28.0 % of the samples, which are not used; if you "
                "build it, add \xFF{binary} /opt/libnghttp2.so.14",
                "/opt/libz.so.1: has 2.0 % of the samples, which are not used; if you build it, "
                "add \xFF{binary} /opt/libz.so.1"}));
  nlohmann::json json = convert_json(result)["other_binaries"];
  ASSERT_EQ(json.size(), 5u);
  EXPECT_EQ(json[0], (nlohmann::json{{"path", "/opt/libnghttp2.so.14"},
                                     {"build_id", "0011223344556677"},
                                     {"samples", 28}}));
}

TEST(ConvertReport, NamesNoMoreThanThree) {
  ConvertResult result = converted();
  for (const char* name : {"/a.so", "/b.so", "/c.so", "/d.so", "/e.so"})
    result.others.push_back(other(name, 5));
  std::vector<std::string> notes = notes_of(result);
  ASSERT_EQ(notes.size(), 4u);
  EXPECT_EQ(notes[3], "2 more binaries had samples that are not used; 'pgo show INPUT' lists all");
}

ConvertedBinary counted(const std::string& path, uint64_t samples, Quality quality) {
  ConvertedBinary binary;
  binary.path = path;
  binary.build_id = *BuildId::from_hex("0011223344556677");
  binary.traces = 7;
  binary.pc_samples = binary.pc_sample_weight = samples;
  binary.evidence = Evidence::kPcSamples;
  binary.quality = quality;
  return binary;
}

// A BOLT profile is of one binary, so all binaries together say too much of it.
TEST(ConvertReport, SaysWhatEachBinaryIsWorth) {
  ConvertResult result = converted();
  result.inference.emplace().samples = 123'957;
  result.evidence = Evidence::kPcSamples;
  result.quality = Quality::kGood;
  result.binaries = {counted("libengine.so", 120'442, Quality::kGood),
                     counted("queryd", 3'515, Quality::kThin),
                     counted("idle.so", 0, Quality::kUnknown)};
  result.binaries[1].pc_sample_weight = 878'750;
  result.binaries[1].split_half_overlap = .8125;
  result.binaries[1].unsampled_flow_share = .21;
  result.outputs = {{"queryd.prof", "p"}, {"queryd.fdata", "q", 1, 1}};
  EXPECT_EQ(notes_of(result).back(), "queryd: quality thin, with 3 515 of the samples");

  nlohmann::json json = convert_json(result);
  EXPECT_EQ(json["binaries"][0], (nlohmann::json{{"path", "libengine.so"},
                                                 {"build_id", "0011223344556677"},
                                                 {"traces", 7},
                                                 {"samples", 120'442},
                                                 {"evidence", "pc-samples"},
                                                 {"quality", "good"}}));
  EXPECT_EQ(json["binaries"][1]["sample_weight"], 878'750);
  EXPECT_EQ(json["binaries"][1]["split_half_overlap"].dump(), "0.813");
  EXPECT_EQ(json["binaries"][1]["unsampled_flow_share"].dump(), "0.21");
  EXPECT_EQ(json["binaries"][2]["quality"], "unknown");
  EXPECT_EQ(json["outputs"][0]["quality"], "good");
  EXPECT_FALSE(json["outputs"][0].contains("binary"));
  EXPECT_EQ(json["outputs"][1]["quality"], "thin");
  EXPECT_EQ(json["outputs"][1]["binary"], "queryd");
}

TEST(ConvertReport, SaysWhichBinariesHaveTooFewSingleSteps) {
  ConvertResult result = converted();
  result.inference.emplace().samples = 200'000;
  result.inference->step_samples = 20'000;
  result.evidence = Evidence::kSoftwareBranchRecords;
  result.quality = Quality::kGood;
  result.binaries = {counted("queryd", 120'000, Quality::kGood),
                     counted("libengine.so", 120'000, Quality::kGood)};
  result.binaries[0].evidence = Evidence::kSoftwareBranchRecords;
  result.binaries[1].step_records = 12;
  result.outputs = {
      {"both.prof", "p"}, {"queryd.fdata", "q", 0, 0}, {"libengine.fdata", "e", 1, 1}};
  EXPECT_EQ(notes_of(result).back(),
            "libengine.so: quality good; it has too few single steps (12 of 10 000 branch records "
            "needed), so pgo bolt treats its counts as inferred");
  const nlohmann::json json = convert_json(result);
  EXPECT_EQ(json["outputs"][0]["evidence"], "software-branch-records");
  EXPECT_EQ(json["outputs"][1]["evidence"], "software-branch-records");
  EXPECT_EQ(json["outputs"][2]["evidence"], "pc-samples");
  EXPECT_EQ(json["binaries"][1]["step_records"], 12);
  // The other way round, and without any PC sample.
  result.evidence = Evidence::kPcSamples;
  result.binaries.pop_back();
  EXPECT_EQ(notes_of(result).back(),
            "queryd: quality good; its single steps count as branch records");
  result.binaries[0].pc_samples = 0;
  EXPECT_EQ(
      notes_of(result).back(),
      "queryd: quality good, of single steps alone; its single steps count as branch records");
}

// Of inferred counts the density says nothing.
TEST(ConvertReport, NamesTheDensityOfBranchRecordsOnly) {
  ConvertResult result = converted();
  result.source.emplace();
  result.density = 219;
  EXPECT_TRUE(notes_of(result).back().starts_with("0 functions, density 219.0, "));
  result.inference.emplace().samples = 30;
  EXPECT_TRUE(notes_of(result).back().starts_with("0 functions, 0.0 % of the executed code "))
      << notes_of(result).back();
}

// Its number of samples, its unsampled flow, or both.
TEST(ConvertReport, SaysWhyABinaryIsWorthLess) {
  ConvertResult result = converted();
  result.inference.emplace().samples = 300'000;
  result.evidence = Evidence::kPcSamples;
  result.quality = Quality::kGood;
  result.binaries = {counted("few", 99'999, Quality::kFair),
                     counted("hidden", 100'000, Quality::kFair),
                     counted("both", 99'999, Quality::kThin)};
  result.binaries[0].unsampled_flow_share = .25;
  result.binaries[1].unsampled_flow_share = .312;
  result.binaries[2].unsampled_flow_share = .4;
  std::vector<std::string> notes = notes_of(result);
  ASSERT_GE(notes.size(), 3u);
  notes.erase(notes.begin(), notes.end() - 3);
  EXPECT_EQ(
      notes,
      (std::vector<std::string>{
          "few: quality fair, with 99 999 of the samples",
          "hidden: quality fair, 31.2 % of its flow is unsampled",
          "both: quality thin, with 99 999 of the samples, 40.0 % of its flow is unsampled"}));
}

TEST(ConvertReport, NamesTheDensityOfBinariesWithBranchRecords) {
  ConvertResult result = converted();
  result.quality = Quality::kGood;
  for (const char* path : {"a", "b", "c", "d", "e"}) {
    result.binaries.push_back(counted(path, 0, Quality::kFair));
    result.binaries.back().density = 12.34;
  }
  std::vector<std::string> notes = notes_of(result);
  ASSERT_EQ(notes.size(), 4u);
  EXPECT_EQ(notes[0], "a: quality fair, density 12.3");
  EXPECT_EQ(
      notes[3],
      "2 more binaries differ in quality or evidence from all together; \xFF{json} lists them");
  EXPECT_EQ(convert_json(result)["binaries"][0]["density"].dump(), "12.3");
}

// The same digits on every machine, and those that CMake notes.
TEST(ConvertReport, RoundsFigures) {
  ConvertResult result = converted();
  result.density = 267.249;
  result.source.emplace();
  result.split_half_overlap = .99149;
  nlohmann::json json = convert_json(result);
  EXPECT_EQ(json["density"].dump(), "267.2");
  EXPECT_EQ(json["split_half_overlap"].dump(), "0.991");
  EXPECT_EQ(json["source"]["density"].dump(), "267.2");
  result.density = 343;
  EXPECT_EQ(convert_json(result)["density"].dump(), "343.0");
}

TEST(ConvertReport, SaysThatBranchRecordsAreOfAnEmulator) {
  ConvertResult result = converted();
  result.quality = Quality::kGood;
  result.split_half_overlap = .998;
  result.evidence = Evidence::kBranchRecords;
  EXPECT_EQ(notes_of(result).at(0), "quality good, split-half overlap 99.8 %");
  result.evidence = Evidence::kSoftwareBranchRecords;
  EXPECT_EQ(notes_of(result).at(0),
            "quality good, from software branch records, split-half overlap 99.8 %");
  EXPECT_EQ(convert_json(result)["evidence"], "software-branch-records");
}

// What the translation of a BOLTed binary's traces lost.
TEST(ConvertReport, AccountsForTranslatedTraces) {
  ConvertResult result;
  result.moved = {{"app.bolt", "app", {.seen = 200, .whole = 180, .cut = 10, .dropped = 10}}};
  auto messages = [&] {
    std::string text;
    for (const Message& message : convert_messages(result))
      text += (message.kind == Message::Kind::kWarning ? "warning: " : "") + message.text + "\n";
    return text;
  };
  EXPECT_EQ(messages(), "app.bolt: 90.0 % of the traces were translated to app, 5.0 % in part\n");
  result.moved[0].report = {
      .seen = 200, .whole = 149, .cut = 40, .dropped = 11, .broken_ranges = 3};
  EXPECT_EQ(
      messages(),
      "app.bolt: 74.5 % of the traces were translated to app, 20.0 % in part\n"
      "warning: app.bolt: 20.0 % of the traces do not fit its code: did another binary run "
      "that llvm-bolt made from app? Only 'pgo bolt' gives each of them a build ID of its own\n"
      "warning: app.bolt: 5.5 % of the traces could not be translated to app and are left "
      "out; do both files have all of their symbols?\n");
  EXPECT_EQ(convert_json(result)["moved"], (nlohmann::json::array({{{"from", "app.bolt"},
                                                                    {"to", "app"},
                                                                    {"seen", 200},
                                                                    {"whole", 149},
                                                                    {"cut", 40},
                                                                    {"dropped", 11},
                                                                    {"broken_ranges", 3}}})));
  EXPECT_EQ(convert_json(ConvertResult())["moved"], nlohmann::json::array());
}

std::string text_of(double percent, const TraceSource& source) {
  Perf2boltOutput output;
  output.figures.mismatching_traces = 600;
  output.figures.mismatching_percent = percent;
  std::vector<Message> messages = perf2bolt_messages("out.fdata", output, source);
  EXPECT_EQ(messages.size(), 1u);
  return (messages[0].kind == Message::Kind::kWarning ? "warning: " : "") + messages[0].text;
}

// Another build is suspected only where it may have run.
TEST(ConvertReport, SaysWhyTracesDoNotMatchTheCode) {
  EXPECT_EQ(text_of(60, {}),
            "warning: out.fdata: 60.0 % of the traces do not match the code; was another build "
            "recorded?");
  EXPECT_EQ(text_of(60, {.identity = BuildIdentity::kProven}),
            "warning: out.fdata: 60.0 % of the traces do not match the code, although its build ID "
            "was recorded; perf2bolt leaves them out");
  for (BuildIdentity identity : {BuildIdentity::kAssumed, BuildIdentity::kProven})
    EXPECT_EQ(text_of(60, {.is_inferred = true, .identity = identity}),
              "out.fdata: 60.0 % of the traces do not match the code; they were inferred from PC "
              "samples, and perf2bolt leaves them out");
  EXPECT_EQ(text_of(1.5, {}), "out.fdata: 1.5 % of the traces do not match the code");
}

TEST(ConvertReport, CopiesWhereBundlesComeFrom) {
  ConvertResult result = converted();
  EXPECT_FALSE(convert_json(result).contains("provenance"));
  auto input = std::make_shared<InputBundle>();
  input->directory = "q.bundle";
  input->bundle = {"pgo 1.0", {"s3://b/p"}, {{"service", "queryd"}}, {}};
  for (const char* host : {"web-1", "web-2", "web-1"}) {
    BundleMember member;
    member.labels = {{"host", host}};
    member.window = TimeWindow{0, 3'600'000'000'000};
    member.builds = {"aabb"};
    member.samples = 10;
    input->bundle.members.push_back(member);
  }
  result.bundles = {input};
  EXPECT_EQ(
      convert_json(result)["provenance"],
      nlohmann::json::array(
          {{{"path", "q.bundle"},
            {"tool_version", "pgo 1.0"},
            {"sources", {"s3://b/p"}},
            {"query", {{"service", "queryd"}}},
            {"members",
             {{"profiles", 3},
              {"samples", 30},
              {"builds", {{"aabb", 3}}},
              {"labels", {{"host", {{"web-1", 2}, {"web-2", 1}}}}},
              {"window", {{"from", "1970-01-01T00:00:00Z"}, {"to", "1970-01-01T01:00:00Z"}}}}}}}));
}

TEST(ConvertReport, SaysWhenFilesOfRecordingsWereChanged) {
  ConvertResult result = converted();
  EXPECT_FALSE(convert_json(result).contains("modified"));
  result.modified = Origins::of({}, Origins::Window{0, 1'000'000'000});
  EXPECT_EQ(convert_json(result)["modified"],
            nlohmann::json(
                {{"recordings", 1},
                 {"window", {{"from", "1970-01-01T00:00:00Z"}, {"to", "1970-01-01T00:00:01Z"}}}}));
}

TEST(ConvertReport, SaysHowManyMoreSamplesWouldDo) {
  ConvertResult result = converted();
  result.source.emplace();
  result.density = 49.5;
  EXPECT_EQ(notes_of(result).back(),
            "a few more samples would reach a density of 50, above which more samples gain little");
  result.density = 20;
  EXPECT_EQ(notes_of(result).back(),
            "about 2.5 times as many samples would reach a density of 50, above which more samples "
            "gain little");
}

}  // namespace
}  // namespace pgo::convert_report_test
