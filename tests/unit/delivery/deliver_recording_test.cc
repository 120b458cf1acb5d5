// deliver_recording(): a script stands in for perf; it writes a recording that was made before of a
// program that the test wrote. tests/e2e/record/ runs the real one.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <optional>

#include "converters/address/address_profile_reader.h"
#include "pgo/base/text_bytes.h"
#include "pgo/delivery/delivery.h"
#include "pgo/upload/directory_destination.h"
#include "tests/data/elf_builder.h"
#include "tests/data/small_recording.h"
#include "tests/data/temporary_files.h"

namespace pgo::deliver_recording_test {
namespace {

namespace fs = std::filesystem;

// A store that is down, as a put() finds out.
class BrokenDestination : public ProfileDestination {
 public:
  const std::string& name() const override { return name_; }
  KeptForm form() const override { return KeptForm::kFile; }
  Result<std::vector<std::string>> put(const OutgoingProfile&, Diagnostics&) override {
    on_put();
    return fail(ErrorKind::kIo, "s3://profiles: HTTP 503", "is the store up?");
  }

  std::function<void()> on_put = [] {};

 private:
  std::string name_ = "s3://profiles";
};

class DeliverRecordingTest : public test::TemporaryFiles {
 protected:
  DeliverRecordingTest() : before_(fs::current_path()), program_(path("tiny")) {
    fs::create_directories(path("work"));
    fs::current_path(path("work"));  // where files are kept that could not be sent
    store_ = open_directory_destination(path("store"), "dir:store");
    request_.record.command = {"/bin/true"};
    request_.record.engine = EngineWish::kClock;
    request_.record.search_path = path("bin");
    request_.record.starting = [this](const RecordStart&) { starts_++; };
    request_.destination = store_.get();
    request_.key = "{service}/{host}.addr";
    request_.labels = {{"service", "tiny"}, {"host", "web-1"}};
    install_perf();
  }
  ~DeliverRecordingTest() override { fs::current_path(before_); }

  // The program of the recording, with instructions and a symbol.
  void install_program() {
    ElfBuilder elf;
    elf.header.e_machine = EM_X86_64;
    const uint16_t text = elf.next_section();
    elf.add_code(test::TinyProgram::kBegin, std::string(256, '\x90'));
    elf.add_symbol("work", STT_FUNC, text, test::TinyProgram::kBegin, 256);
    elf.add_build_id(program_.image().build_id());
    const std::vector<uint8_t> bytes = elf.finish();
    write("tiny", Bytes(bytes));
  }
  void install_perf() {
    test::PerfDataBuilder perf;
    test::Event event = test::branch_event();
    event.sample_type &= ~static_cast<uint64_t>(PERF_SAMPLE_BRANCH_STACK);
    event.type = PERF_TYPE_SOFTWARE;
    event.config = PERF_COUNT_SW_CPU_CLOCK;
    perf.event(event);
    perf.mmap2(program_.map(10, test::kMap, 100));
    for (uint64_t elf : {0x1204, 0x1204, 0x1208})
      perf.sample({.pid = 10, .time = 200, .ip = test::c(elf), .period = 1000});
    const std::vector<uint8_t> recording = perf.file();
    write("made.data", Bytes(recording));
    ::chmod(
        write("bin/perf", "#!/bin/sh\nwhile [ \"$1\" != -- ]; do\n  [ \"$1\" != -o ] || /bin/cp " +
                              path("made.data") + " \"$2\"\n  shift\ndone\nshift\nexec \"$@\"\n")
            .c_str(),
        0755);
  }
  // The message and the advice; kept files are called KEPT.
  std::string error() {
    const Result<DeliveryResult> result = deliver_recording(request_);
    if (result) return "no error";
    std::string text = text_of(result.error());
    for (const std::string& kept : kept_files())
      if (size_t at = text.find(kept); at != text.npos) text.replace(at, kept.size(), "KEPT");
    return text;
  }
  std::vector<std::string> kept_files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(path("work")))
      names.push_back(entry.path().filename().string());
    return names;
  }

  DeliveryRequest request_;
  std::unique_ptr<ProfileDestination> store_;
  int starts_ = 0;

 private:
  fs::path before_;
  test::TinyProgram program_;
};

TEST_F(DeliverRecordingTest, SendsTheProfileOfACommand) {
  install_program();
  const Result<DeliveryResult> result = deliver_recording(request_);
  ASSERT_TRUE(result) << text_of(result.error());
  EXPECT_EQ(result->recording.samples, 3u);
  EXPECT_EQ(result->recorded, fs::file_size(path("made.data")));
  EXPECT_EQ(result->labels, request_.labels);
  ASSERT_EQ(result->places.size(), 1u);
  EXPECT_TRUE(fs::exists(path("store/tiny/web-1.addr"))) << result->places[0];
  EXPECT_EQ(result->sent, fs::file_size(path("store/tiny/web-1.addr")));
  const Result<MappedFile> sent = MappedFile::open(path("store/tiny/web-1.addr"));
  ASSERT_TRUE(sent);
  const Result<AddressProfile> profile = read_address_profile(sent->bytes(), "sent");
  ASSERT_TRUE(profile) << profile.error().message;
  ASSERT_EQ(profile->binaries.size(), 1u);
  EXPECT_EQ(profile->binaries[0].pc_sample_count(), 3u);
  EXPECT_EQ(profile->binaries[0].pc_sample_weight(), 3000u);
  EXPECT_TRUE(kept_files().empty());
}

TEST_F(DeliverRecordingTest, KeepsAProfileThatCannotBeSent) {
  install_program();
  BrokenDestination broken;
  request_.destination = &broken;
  const Result<DeliveryResult> result = deliver_recording(request_);
  ASSERT_TRUE(result) << text_of(result.error());
  ASSERT_TRUE(result->unsent);
  EXPECT_EQ(text_of(result->unsent->error), "s3://profiles: HTTP 503; is the store up?");
  EXPECT_EQ(result->unsent->key, "tiny/web-1.addr");
  EXPECT_EQ(kept_files(), std::vector<std::string>{result->unsent->path});
  EXPECT_TRUE(result->unsent->path.ends_with(".addr"));
  EXPECT_TRUE(result->places.empty());
  const Result<MappedFile> kept = MappedFile::open(result->unsent->path);
  ASSERT_TRUE(kept);
  EXPECT_TRUE(read_address_profile(kept->bytes(), "kept"));
}

TEST_F(DeliverRecordingTest, SaysWhenWhatCannotBeSentCannotBeKeptEither) {
  install_program();
  BrokenDestination broken;
  request_.destination = &broken;
  const char* const set = std::getenv("TMPDIR");
  const std::optional<std::string> before = set ? std::optional<std::string>(set) : std::nullopt;
  broken.on_put = [this] {
    fs::remove(path("work"));  // the current directory
    ::setenv("TMPDIR", path("none").c_str(), 1);
  };
  const Result<DeliveryResult> result = deliver_recording(request_);
  before ? ::setenv("TMPDIR", before->c_str(), 1) : ::unsetenv("TMPDIR");
  fs::create_directories(path("work"));
  ASSERT_FALSE(result);
  EXPECT_TRUE(result.error().message.starts_with(
      "s3://profiles: HTTP 503; and it could not be kept: unsent-"))
      << result.error().message;
}

// The program is gone, or was replaced, when its recording ends.
TEST_F(DeliverRecordingTest, KeepsARecordingThatNoProfileCanBeMadeOf) {
  const std::string text = error();
  EXPECT_TRUE(
      text.starts_with("no sample can be used: each is of a file that has no build ID, or that "
                       "cannot be read any more"))
      << text;
  EXPECT_TRUE(text.ends_with("the recording is kept in KEPT: convert it with the binary that ran"))
      << text;
  ASSERT_EQ(kept_files().size(), 1u);
  EXPECT_EQ(fs::file_size(path("work/" + kept_files()[0])), fs::file_size(path("made.data")));
  EXPECT_FALSE(fs::exists(path("store/tiny")));
}

TEST_F(DeliverRecordingTest, RecordsNothingForANameThatCannotBe) {
  request_.key = "{zone}.addr";
  EXPECT_EQ(error(),
            "\xFF{output} {zone}.addr: there is no {zone}; use {host}, {hour}, or a key of "
            "\xFF{label}");
  EXPECT_EQ(starts_, 0);
}

}  // namespace
}  // namespace pgo::deliver_recording_test
