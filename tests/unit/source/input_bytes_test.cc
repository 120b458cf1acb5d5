#include "pgo/source/input_bytes.h"

#include <gtest/gtest.h>

#include "pgo/base/gzip.h"
#include "pgo/base/zstd.h"
#include "tests/data/temporary_files.h"

namespace pgo::input_bytes_test {
namespace {

class InputBytesTest : public test::TemporaryFiles {
 protected:
  InputBytes open(const std::string& contents) const {
    return InputBytes::open(write("input", contents)).value();
  }
  // Without the directory.
  std::string unknown(const InputBytes& input) const {
    std::string message = input.unknown().error.message;
    return message.substr(message.find(": ") + 2);
  }
};

constexpr const char* kNotKnown =
    ", which is none of the known formats: perf.data, ELF, LLVM sample profiles, GCC's "
    "auto-profiles, BOLT's fdata and YAML, pre-aggregated traces, address profiles, pprof, "
    "gperftools' CPU profiles, folded stacks";

// A folded stack, and as many after it.
std::string folded(size_t bytes) {
  std::string text;
  while (text.size() < bytes) text += "main;work 1\n";
  return text;
}

TEST_F(InputBytesTest, InflatesWhatIsReadCompressed) {
  std::string text = folded(1 << 20);
  for (const std::string& file : {*gzip(text), *zstd(text)}) {
    InputBytes input = open(file);
    EXPECT_EQ(input.format(), Format::kFolded);
    EXPECT_EQ(input.contents().size(), text.size());
  }
}

TEST_F(InputBytesTest, InflatesNoMoreThanTheStartOfWhatIsNot) {
  const std::string zeros(8 << 20, '\0');
  for (const std::string& file : {*gzip(zeros), *zstd(zeros)}) {
    InputBytes input = open(file);
    EXPECT_EQ(input.format(), std::nullopt);
    EXPECT_EQ(input.contents().size(), kKindBytes);
  }
  EXPECT_EQ(
      unknown(open(*gzip(zeros))),
      std::string("is compressed by gzip, and what is inside begins with 00 00 00 00 00 00 00 "
                  "00") +
          kNotKnown);
  InputBytes recording = open(*zstd("PERFILE2" + zeros));
  EXPECT_EQ(recording.contents().size(), kKindBytes);
  EXPECT_EQ(unknown(recording),
            "is compressed by zstd (perf.data recording); uncompress it first (unzstd)");
  InputBytes twice = open(*gzip(*gzip(zeros)));
  EXPECT_LT(twice.contents().size(), size_t{kKindBytes});
  EXPECT_EQ(
      unknown(twice),
      std::string("is compressed by gzip, and what is inside begins with 1f 8b 08 00 00 00 00 "
                  "00") +
          kNotKnown);
}

// A small file may have large contents.
TEST_F(InputBytesTest, InflatesSmallFilesByTheSameRules) {
  for (size_t size : {size_t{1}, kKindBytes - 1, kKindBytes, size_t{4} << 20}) {
    const std::string text = folded(size), zeros(size, '\0');
    for (const std::string& file : {*gzip(text), *zstd(text)}) {
      ASSERT_LT(file.size(), kKindBytes);
      const InputBytes input = open(file);
      EXPECT_EQ(input.format(), Format::kFolded) << size;
      EXPECT_EQ(as_text(input.contents()), text);
    }
    for (const std::string& file : {*gzip(zeros), *zstd(zeros)}) {
      const InputBytes input = open(file);
      EXPECT_EQ(input.format(), std::nullopt) << size;
      EXPECT_EQ(input.contents().size(), std::min(size, kKindBytes));
    }
  }
}

TEST_F(InputBytesTest, SaysWhatIsDamaged) {
  std::string text = folded(1000), file = *gzip(text);
  EXPECT_EQ(unknown(open(file.substr(0, file.size() - 1))),
            "gzip member 1, at byte 0, is damaged or cut short");
  EXPECT_EQ(unknown(open("\x1f\x8b damaged")), "gzip member 1, at byte 0, is damaged or cut short");
  EXPECT_EQ(
      unknown(open(*gzip(""))),
      "is compressed by gzip, but its contents are empty; was it cut short, or never finished?");
}

TEST_F(InputBytesTest, ReadsNoMoreOfADeviceThanItsStart) {
  InputBytes zeros = InputBytes::open("/dev/zero").value();
  EXPECT_EQ(zeros.file().size(), kKindBytes);
  EXPECT_EQ(unknown(zeros), std::string("begins with 00 00 00 00 00 00 00 00") + kNotKnown);
}

// What decides is within the first 64 KB.
TEST_F(InputBytesTest, KnowsLongFilesByTheirStart) {
  std::string report = "{\n \"binaries\": [" + std::string(2 * kKindBytes, ' ') +
                       "],\n \"branches\": {}, \"evidence\": \"unknown\", \"samples\": {}}";
  EXPECT_EQ(open(report).format(), Format::kConvertReport);
  // A string of a profile that is longer than that.
  std::string pprof("\x0a\x04\x08\x01\x10\x02\x32\x80\x80\x08", 10);
  EXPECT_EQ(open(pprof + std::string(1 << 17, 's')).format(), Format::kPprof);
}

}  // namespace
}  // namespace pgo::input_bytes_test
