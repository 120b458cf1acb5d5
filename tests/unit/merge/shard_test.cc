// Shards of a merge: merging all of them gives the bytes of one merge.
#include "pgo/merge/shard.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <tuple>

#include "converters/address/address_profile_writer.h"
#include "converters/pprof/pprof_writer.h"
#include "pgo/merge/merge.h"
#include "pgo/report/merge_report.h"
#include "tests/data/bundle_files.h"
#include "tests/data/temporary_files.h"

namespace pgo::shard_test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kIds[] = {"00112233445566778899", "aa112233445566778899"};

std::string address_profile(uint64_t i) {
  AddressProfile profile;
  BinaryCounts server;
  server.id = *BuildId::from_hex(kIds[i % 2]);
  server.path_hint = "/bin/server" + std::to_string(i % 3);
  for (uint64_t at = i % 5; at < 20; at += 1 + i % 4)
    server.traces.push_back(
        {ElfAddr{0x10 + at}, ElfAddr{0x20 + at}, ElfAddr{0x30 + at}, TraceReading::kBoth, i + at});
  server.pc_samples = {{ElfAddr{0x18 + i % 7}, 1, 10 * i}};
  profile.binaries = {server};
  profile.events = {{"cycles", i + 1, 1000, false}};
  profile.samples.used = i + 1;
  profile.samples[Dropped::kOtherBinary] = i % 3;
  profile.samples.seen = i + 1 + i % 3;
  profile.lost = i % 2;
  profile.origins =
      Origins::of({{"host", "web-" + std::to_string(i)}}, {{10 - static_cast<int64_t>(i), 20}});
  profile.normalize();
  return write_address_profile(profile).value();
}

// A sample that all have and one of its own, in a process whose binary is somewhere else each time.
std::string pprof(int64_t i) {
  StackProfile profile;
  auto text = [&](std::string_view words) { return profile.strings.add(words); };
  profile.sample_types = {{text("samples"), text("count")}, {text("cpu"), text("nanoseconds")}};
  profile.period_type = {text("cpu"), text("nanoseconds")};
  profile.period = 1000 * (1 + i % 2);
  profile.time = 1'000'000 - i;
  profile.duration = 10 + i;
  profile.comments = {text("from host " + std::to_string(i % 3))};
  const auto begin = static_cast<uint64_t>(0x500000 + 0x1000 * i);
  MappingId program = profile.add_mapping({.filename = text("/bin/server"),
                                           .build_id = text("0011223344556677"),
                                           .begin = RuntimeAddr{begin},
                                           .end = RuntimeAddr{begin + 0x800}});
  LabelsId labels = profile.add_labels({{.key = text("request"), .text = text(std::to_string(i))}});
  for (int64_t which : {int64_t{0}, i}) {
    LocationId place = profile.add_location(
        {program, RuntimeAddr{begin + 0x10 + static_cast<uint64_t>(which)}}, {});
    profile.add_sample({profile.add_stack({place}), which == 0 ? profile.add_labels({}) : labels},
                       {1 + i, 1000 * i});
  }
  profile.normalize();
  return write_pprof(profile);
}

class ShardTest : public test::TemporaryFiles {
 protected:
  MergeRequest request(const std::vector<std::string>& names, Format format,
                       std::optional<Shard> shard = {}) const {
    MergeRequest request;
    for (const std::string& name : names) request.inputs.push_back(path(name));
    request.outputs = {{format, path("merged")}};
    request.jobs = 2;
    request.shard = shard;
    return request;
  }
  std::string merged(const MergeRequest& request) const {
    Result<MergeResult> result = merge(request);
    if (result) return result->outputs[0].contents;
    const Error& error = result.error();
    return relative(error.message + (error.advice.empty() ? "" : "; " + error.advice));
  }
  // The names of `count` shards of `names`, which are written.
  std::vector<std::string> write_shards(const std::vector<std::string>& names, Format format,
                                        uint64_t count, const std::string& prefix) const {
    std::vector<std::string> shards;
    for (uint64_t i = 0; i < count; i++) {
      shards.push_back(prefix + std::to_string(i));
      write(shards.back(), merged(request(names, format, Shard{i, count})));
    }
    return shards;
  }
  void check_same_bytes(const std::vector<std::string>& names, Format format) const {
    const std::string at_once = merged(request(names, format));
    for (uint64_t count : {1u, 2u, 7u, 40u}) {
      const std::vector<std::string> shards =
          write_shards(names, format, count, "part" + std::to_string(count) + "_");
      EXPECT_EQ(merged(request(shards, format)), at_once) << count << " shards";
      const std::vector<std::string> again = write_shards(shards, format, 3, "again");
      EXPECT_EQ(merged(request(again, format)), at_once) << "shards of " << count << " shards";
    }
  }
};

TEST(Shard, HasEachNameOnce) {
  // The same on each machine: the first bytes of the SHA-256 of "hosts/a.addr" are
  // 9cd34b771c22ab5d.
  EXPECT_TRUE((Shard{0x9cd34b771c22ab5d % 1000, 1000}).has("hosts/a.addr"));
  for (int i = 0; i < 100; i++) {
    const std::string name = "hosts/" + std::to_string(i) + ".addr";
    int shards = 0;
    for (uint64_t shard = 0; shard < 7; shard++) shards += Shard{shard, 7}.has(name) ? 1 : 0;
    EXPECT_EQ(shards, 1) << name;
  }
}

TEST_F(ShardTest, OfAddressProfilesGiveTheBytesOfOneMerge) {
  std::vector<std::string> names;
  for (uint64_t i = 0; i < 23; i++) {
    names.push_back("host" + std::to_string(i) + ".addr");
    write(names.back(), address_profile(i));
  }
  check_same_bytes(names, Format::kAddressProfile);
}

TEST_F(ShardTest, OfStackProfilesGiveTheBytesOfOneMerge) {
  std::vector<std::string> names;
  for (int64_t i = 0; i < 23; i++) {
    names.push_back("host" + std::to_string(i) + ".pb.gz");
    write(names.back(), pprof(i));
  }
  check_same_bytes(names, Format::kPprof);
}

// All shards together have more values of a label than are kept; each has fewer.
TEST_F(ShardTest, LeaveLabelsWithManyValuesToTheLastMerge) {
  std::vector<std::string> names;
  for (int64_t i = 1; i <= 1001; i++) {
    names.push_back("many/" + std::to_string(i) + ".pb.gz");
    write(names.back(), pprof(i));
  }
  check_same_bytes({"many"}, Format::kPprof);
}

TEST_F(ShardTest, MembersOfBundlesCountByTheirNamesInThem) {
  std::vector<test::BundleFile> files;
  for (uint64_t i = 0; i < 9; i++)
    files.push_back({std::to_string(i) + ".addr", address_profile(i), {1, 1}, {}});
  test::write_bundle(path("here"), files);
  test::write_bundle(path("elsewhere"), files);
  auto shard = [&](const std::string& bundle, uint64_t i) {
    return merged(request({bundle}, Format::kAddressProfile, Shard{i, 4}));
  };
  for (uint64_t i = 0; i < 4; i++) EXPECT_EQ(shard("here", i), shard("elsewhere", i)) << i;
  files[0].weight = {2, 1};
  test::write_bundle(path("weighted"), files);
  EXPECT_EQ(shard("weighted", 0),
            "weighted: the members of this bundle have different weights, which \xFF{shard} does "
            "not support, because each shard is rounded on its own; merge the bundle at once");
}

TEST_F(ShardTest, MayBeEmpty) {
  write("a.addr", address_profile(3));
  write("a.pb.gz", pprof(3));
  for (const auto& [name, format, nothing] :
       {std::tuple("a.addr", Format::kAddressProfile,
                   "0 address profiles: 0 different traces and addresses"),
        std::tuple("a.pb.gz", Format::kPprof, "0 profiles: 0 different samples")}) {
    // One of two shards.
    const Shard empty{Shard{0, 2}.has(path(name)) ? 1u : 0u, 2};
    Result<MergeResult> result = merge(request({name}, format, empty));
    ASSERT_TRUE(result) << text_of(result.error());
    std::vector<std::string> texts;
    for (const Message& message : merge_messages(*result)) texts.push_back(message.text);
    EXPECT_EQ(texts, (std::vector<std::string>{
                         nothing, "shard " + std::to_string(empty.index) +
                                      "/2: none of 1 input, so the output is an empty profile"}));
    write("empty", result->outputs[0].contents);
    EXPECT_EQ(merged(request({name, "empty"}, format)), merged(request({name}, format)));
    EXPECT_EQ(merge_json(*result)["shard"],
              (nlohmann::json{{"index", empty.index}, {"count", 2}, {"inputs_of_all", 1}}));
  }
  // Where there is nothing at all, the last merge says so.
  write("other", "main 1\n");
  write("empty", merged(request({"a.addr"}, Format::kAddressProfile,
                                Shard{Shard{0, 2}.has(path("a.addr")) ? 1u : 0u, 2})));
  EXPECT_EQ(merged(request({"empty"}, Format::kAddressProfile)),
            "the inputs contain no counts; 'pgo show' lists why their samples were dropped");
  fs::create_directory(path("text"));
  write("text/a", "no profile");
  EXPECT_EQ(merged(request({"text"}, Format::kPprof, Shard{0, 1})), "no input is a stack profile");
}

TEST_F(ShardTest, RefusesWhatWouldBeRoundedInEachShard) {
  write("a.addr", address_profile(3));
  write("a.prof", "main:10:1\n 1: 10\n");
  MergeRequest shard = request({"a.addr"}, Format::kAddressProfile, Shard{0, 1});
  shard.normalization = Normalization::kSamples;
  EXPECT_EQ(merged(shard),
            "\xFF{shard} does not apply together with \xFF{normalize}, which needs the totals of "
            "all inputs; merge all inputs at once, or give whole weights");
  shard.normalization = Normalization::kNone;
  shard.weights = {{path("a.addr"), {3, 2}, "\xFF{weight} a.addr=3/2"}};
  EXPECT_EQ(merged(shard),
            "\xFF{weight} a.addr=3/2: with \xFF{shard}, weights are whole numbers, because each "
            "shard is rounded on its own");
  shard.weights[0].weight = {4, 2};
  const std::string twice = merged(shard);
  shard.shard.reset();
  EXPECT_EQ(twice, merged(shard));
  shard.shard = Shard{2, 2};
  EXPECT_EQ(merged(shard), "\xFF{shard} 2/2: shards are numbered from 0, so the last one is 1/2");
  EXPECT_EQ(merged(request({"a.prof"}, Format::kLlvm, Shard{0, 2})),
            "\xFF{shard} does not apply to LLVM sample profiles");
  EXPECT_EQ(merged(request({"a.addr"}, Format::kFolded, Shard{0, 2})),
            "\xFF{output} merged: a shard is merged again, and only address profiles (.addr) and "
            "pprof (.pb.gz) keep all that this needs");
}

TEST_F(ShardTest, StandardInputNamesNoInputsForAWeight) {
  write("a.addr", address_profile(3));
  MergeRequest weighted = request({"a.addr"}, Format::kAddressProfile);
  weighted.weights = {{"@-", {2, 1}, "\xFF{weight} @-=2"}};
  EXPECT_EQ(merged(weighted),
            "\xFF{weight} @-=2: the names on standard input are read once; write them to a file, "
            "and name it twice: as input @LIST, and in the weight");
}

}  // namespace
}  // namespace pgo::shard_test
