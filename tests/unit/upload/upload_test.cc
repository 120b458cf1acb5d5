#include "pgo/upload/upload.h"

#include <gtest/gtest.h>

#include "converters/address/address_profile_writer.h"
#include "converters/pprof/pprof_writer.h"
#include "pgo/base/bytes.h"
#include "pgo/upload/directory_destination.h"
#include "tests/data/perf_data_builder.h"
#include "tests/data/small_stacks.h"
#include "tests/data/temporary_files.h"

namespace pgo::upload_test {
namespace {

// Keeps what it is given.
class MemoryDestination : public ProfileDestination {
 public:
  explicit MemoryDestination(KeptForm form) : form_(form) {}

  const std::string& name() const override { return name_; }
  KeptForm form() const override { return form_; }
  Result<std::vector<std::string>> put(const OutgoingProfile& profile, Diagnostics&) override {
    if (profile.labels.contains("refused")) return fail(ErrorKind::kUsage, "refused");
    files.emplace_back(as_text(profile.file));
    profiles.push_back(profile);
    return std::vector<std::string>{"place " + std::to_string(files.size())};
  }
  std::vector<std::string> files;
  std::vector<OutgoingProfile> profiles;

 private:
  std::string name_ = "memory";
  KeptForm form_;
};

// Two samples on the host web-1.
test::ByteVector recording() {
  test::PerfDataBuilder perf;
  perf.event({.type = PERF_TYPE_SOFTWARE,
              .config = PERF_COUNT_SW_CPU_CLOCK,
              .sample_period = 1000,
              .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
                             PERF_SAMPLE_PERIOD | PERF_SAMPLE_IDENTIFIER,
              .flags = test::kFlagSampleIdAll,
              .ids = {77},
              .name = "cpu-clock"});
  perf.event_desc().machine("web-1", "cpu").comm({.pid = 10, .time = 1, .name = "server"});
  perf.mmap2({.pid = 10,
              .time = 2,
              .addr = 0x401000,
              .len = 0x2000,
              .pgoff = 0x1000,
              .path = "/bin/server",
              .build_id = "0011223344556677889900112233445566778899"});
  perf.sample({.pid = 10, .time = 10, .ip = 0x401010, .period = 1000});
  perf.sample({.pid = 10, .time = 20, .ip = 0x401010, .period = 1000});
  return perf.file();
}

class UploadTest : public test::TemporaryFiles {
 protected:
  std::string stacks_file(const std::string& name, int64_t time) {
    StackProfile profile = test::small_stacks({{.stack = {{"work"}, {"main"}}, .count = 7}});
    profile.mappings[0].build_id = profile.strings.add("0011223344556677");
    profile.time = time;
    profile.normalize();
    return write(name, write_pprof(profile));
  }
};

TEST_F(UploadTest, KeepsFilesAsTheyAre) {
  MemoryDestination destination(KeptForm::kFile);
  const std::string file = stacks_file("a.pb", 77);
  const UploadResult result = upload({{file}, {{"service", "queryd"}}, &destination}).value();
  ASSERT_EQ(result.files.size(), 1u);
  EXPECT_EQ(result.files[0], (UploadedFile{file, {"place 1"}, {{"service", "queryd"}}, 77}));
  EXPECT_EQ(destination.profiles[0].extension, ".pb");
  EXPECT_TRUE(result.diagnostics.entries().empty());
}

TEST_F(UploadTest, WarnsOfProfilesThatFetchWillNotFindByService) {
  const auto warning = [&](const UploadRequest& request) {
    const Diagnostics diagnostics = upload(request).value().diagnostics;
    const auto found = diagnostics.entries().find(kNoService);
    return found == diagnostics.entries().end() ? "none" : found->second.messages.at(0);
  };
  MemoryDestination destination(KeptForm::kFile);
  const std::string a = stacks_file("a.pb", 77), b = stacks_file("b.pb", 78);
  EXPECT_EQ(warning({{a}, {}, &destination}),
            "1 profile has no label service: pgo fetch \xFF{service-name} will not find it; upload "
            "with \xFF{label} service=NAME");
  EXPECT_EQ(warning({{a, b}, {{"host", "web-1"}}, &destination}),
            "2 profiles have no label service: pgo fetch \xFF{service-name} will not find them; "
            "upload with \xFF{label} service=NAME");
  EXPECT_EQ(warning({{a}, {}, &destination, "queryd/a.pb"}), "none");
}

TEST_F(UploadTest, MakesStacksOfARecording) {
  MemoryDestination destination(KeptForm::kStacks);
  const std::string file = write("perf.data", recording());
  const Result<UploadResult> result = upload({{file}, {}, &destination});
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(destination.profiles[0].labels, (Labels{{"host", "web-1"}}));
  const StackProfile& stacks = destination.profiles[0].stacks;
  EXPECT_FALSE(stacks.samples.empty());
  EXPECT_GT(stacks.time, 0);  // of the file
  EXPECT_FALSE(result->diagnostics.entries().contains(kTimeOfFile));
}

// What pgo record has written into it; what the command line says takes precedence.
TEST_F(UploadTest, TakesTimeAndLabelsOfAnAddressProfile) {
  AddressProfile addresses;
  BinaryCounts counts;
  counts.id = *BuildId::from_hex("0011223344556677889900112233445566778899");
  counts.pc_samples = {{ElfAddr{0x10}, 3, 3000}};
  addresses.binaries.push_back(counts);
  addresses.samples.seen = addresses.samples.used = 3;
  addresses.origins = Origins::of(
      {{"service", "queryd"}, {"host", "web-1"}, {"version", "1.0"}, {"hour", "2026-11-26T13"}},
      Origins::Window{5000, 6000});
  const std::string file = write("a.addr", write_address_profile(addresses).value());
  for (KeptForm form : {KeptForm::kFile, KeptForm::kStacks}) {
    MemoryDestination destination(form);
    const Result<UploadResult> result = upload({{file}, {{"version", "1.1"}}, &destination});
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_EQ(destination.profiles[0].labels,
              (Labels{{"service", "queryd"}, {"host", "web-1"}, {"version", "1.1"}}));
    EXPECT_EQ(destination.profiles[0].time, 5000);
  }
}

TEST_F(UploadTest, LeavesNamesOutWhereTheyCostAddresses) {
  MemoryDestination destination(KeptForm::kUnnamedStacks);
  const std::string file = stacks_file("a.pb", 77);
  const UploadResult result = upload({{file}, {}, &destination}).value();
  EXPECT_EQ(relative(result.diagnostics.entries().at(kNamesNotSent).messages.at(0)),
            "a.pb: the names of 2 locations are not sent, because memory would remove their "
            "addresses; the store, or pgo, finds the names by build ID");
  EXPECT_TRUE(destination.profiles[0].stacks.functions.empty());
}

TEST_F(UploadTest, SaysThatATimeIsOfTheFile) {
  MemoryDestination destination(KeptForm::kStacks);
  const UploadResult result =
      upload({{write("a.folded", "main;work 7\n")}, {}, &destination}).value();
  EXPECT_GT(result.files[0].time, 0);
  EXPECT_TRUE(result.diagnostics.entries().contains(kTimeOfFile));
}

TEST_F(UploadTest, SaysWhatWasUploadedBeforeAnError) {
  MemoryDestination destination(KeptForm::kFile);
  const std::string good = stacks_file("a.pb", 77), cut = write("b.pb", "\x0a\x04\x08\x01\x10\x02");
  const Result<UploadResult> result = upload({{good, cut}, {}, &destination});
  EXPECT_TRUE(result.error().message.ends_with(" (1 file of 2 uploaded before)"))
      << result.error().message;
  EXPECT_EQ(upload({{good}, {{"refused", "x"}}, &destination}).error().message, "refused");
}

TEST_F(UploadTest, RemovesEmptyDirectoriesOfTheStoreOnly) {
  const std::string store = path("store") + "/";
  OutgoingProfile profile;
  profile.extension = ".pb";
  Diagnostics diagnostics;
  ASSERT_TRUE(open_directory_destination(store, "store")->put(profile, diagnostics));
  EXPECT_EQ(remove_old_profiles(store, {INT64_MAX, "", {}}).value(), 1u);
  EXPECT_TRUE(std::filesystem::is_empty(store));
}

TEST_F(UploadTest, RemovesOldProfilesAlone) {
  const std::string store = path("store");
  const auto destination = open_directory_destination(store, "store");
  const auto put = [&](int64_t time) {
    OutgoingProfile profile;
    profile.labels = {{"service", "q"}};
    profile.time = time;
    profile.extension = ".pb";
    Diagnostics diagnostics;
    return destination->put(profile, diagnostics).value().at(0);
  };
  constexpr int64_t kHour = int64_t{3600} * 1'000'000'000;
  const std::string first = put(10 * kHour), second = put(12 * kHour);
  const std::string other = write("store/service=q/hour=1970-01-01T10/notes.txt", "mine"),
                    log = write("store/service=q/hour=1970-01-01T10/3f4e5d6c7b8a.log",
                                "of a container");
  // The hour of the first one ends with the eleventh.
  EXPECT_EQ(remove_old_profiles(store, {11 * kHour - 1, "", {}}).value(), 0u);
  EXPECT_EQ(remove_old_profiles(store, {11 * kHour, "other", {}}).value(), 0u);
  EXPECT_EQ(remove_old_profiles(store, {11 * kHour, "q", {first}}).value(), 0u);
  EXPECT_EQ(remove_old_profiles(store, {11 * kHour, "q", {}}).value(), 1u);
  EXPECT_FALSE(std::filesystem::exists(first));
  EXPECT_TRUE(std::filesystem::exists(other));
  EXPECT_EQ(remove_old_profiles(store, {100 * kHour, "", {}}).value(), 1u);
  EXPECT_FALSE(std::filesystem::exists(std::filesystem::path(second).parent_path()));
  EXPECT_TRUE(std::filesystem::exists(other));
  EXPECT_TRUE(std::filesystem::exists(log));
  EXPECT_EQ(remove_old_profiles(store, {100 * kHour, "", {}}).value(), 0u);
}

}  // namespace
}  // namespace pgo::upload_test
