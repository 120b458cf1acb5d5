#include "pgo/refresh/blend.h"

#include <gtest/gtest.h>

#include "pgo/base/mapped_file.h"
#include "tests/data/temporary_files.h"

namespace pgo::blend_test {
namespace {

std::string profile(int count) {
  const std::string number = std::to_string(count);
  return "main:" + number + ":0\n 1: " + number + "\n";
}

class BlendTest : public test::TemporaryFiles {
 protected:
  BlendTest() {
    request_.profile = write("new.proftext", profile(1000));
    request_.format = Format::kLlvmText;
    request_.directory = path(".");
    request_.name = "queryd";
    request_.generations = 2;
  }
  PulledFile earlier(int generation, int count) {
    PulledFile pulled;
    pulled.file.name = "queryd.generation-" + std::to_string(generation) + ".proftext";
    pulled.path = write("cache-" + std::to_string(generation), profile(count));
    return pulled;
  }
  static std::string contents(const std::string& path) {
    return std::string(as_text(MappedFile::open(path).value().bytes()));
  }

  BlendRequest request_;
};

TEST_F(BlendTest, TheFirstProfileStaysAsItIs) {
  const BlendResult result = blend(request_).value();
  EXPECT_EQ(result.blended, 0u);
  EXPECT_EQ(result.contents, profile(1000));
  ASSERT_EQ(result.generations.size(), 1u);
  EXPECT_TRUE(result.generations[0].ends_with("/queryd.generation-1.proftext"));
  EXPECT_EQ(contents(result.generations[0]), profile(1000));
}

// Whatever order the registry has them in.
TEST_F(BlendTest, EachProfileCountsTwiceAsMuchAsTheOneBefore) {
  request_.earlier = {earlier(2, 10), earlier(1, 100)};
  const BlendResult result = blend(request_).value();
  EXPECT_EQ(result.blended, 2u);
  EXPECT_EQ(result.contents, profile(4 * 1000 + 2 * 100 + 10));
  // The next run needs these two.
  ASSERT_EQ(result.generations.size(), 2u);
  EXPECT_EQ(contents(result.generations[0]), profile(1000));
  EXPECT_EQ(contents(result.generations[1]), profile(100));
}

// The number was lowered in pgo.toml.
TEST_F(BlendTest, OlderGenerationsDoNotCount) {
  request_.generations = 1;
  request_.earlier = {earlier(1, 100), earlier(2, 10), earlier(10, 5)};
  const BlendResult result = blend(request_).value();
  EXPECT_EQ(result.blended, 1u);
  EXPECT_EQ(result.contents, profile(2 * 1000 + 100));
  EXPECT_EQ(result.generations.size(), 1u);
}

}  // namespace
}  // namespace pgo::blend_test
