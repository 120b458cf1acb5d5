#include "pgo/elf/image_match.h"

#include <gtest/gtest.h>

#include "tests/data/elf_builder.h"

namespace pgo::image_match_test {
namespace {

struct Program {
  std::vector<uint8_t> file;
  std::optional<ElfImage> image;

  Program(const std::string& path, const std::string& id) {
    ElfBuilder elf;
    if (!id.empty()) elf.add_build_id(*BuildId::from_hex(id));
    std::string code(16, '\x90');
    elf.add_code(0x1200, code);
    file = elf.finish();
    image = ElfImage::parse(file, path).value();
  }
};

const std::string kOnes = "1111111111111111", kTwos = "2222222222222222";

// "a/server by name", or why it is none.
std::string matched(const std::string& id, const std::string& path,
                    const std::vector<const ElfImage*>& images) {
  ImageMatch match = match_image(id.empty() ? BuildId() : *BuildId::from_hex(id), path, images);
  if (!match.image) return std::string(dropped_name(match.reason));
  return images[*match.image]->path() + (match.by_name ? " by name" : "");
}

TEST(ImageMatch, ABuildIdDecidesBeforeAnyName) {
  Program without_id("a/server", ""), ones("b/server", kOnes), twos("c/other", kTwos);
  std::vector<const ElfImage*> images{&*without_id.image, &*ones.image, &*twos.image};
  std::vector<const ElfImage*> reversed(images.rbegin(), images.rend());
  for (const std::vector<const ElfImage*>& all : {images, reversed}) {
    EXPECT_EQ(matched(kOnes, "/x/server", all), "b/server");
    EXPECT_EQ(matched(kTwos, "/x/server", all), "c/other");
    EXPECT_EQ(matched(kOnes + "11", "/x/y", all), "b/server") << "a longer one";
  }
}

TEST(ImageMatch, ANameIsForWhatHasNoBuildId) {
  Program ones("b/server", kOnes), without_id("a/idle", "");
  std::vector<const ElfImage*> images{&*ones.image, &*without_id.image};
  EXPECT_EQ(matched("", "/x/server", images), "b/server by name");
  EXPECT_EQ(matched("", "/x/server (deleted)", images), "b/server by name");
  EXPECT_EQ(matched(kTwos, "/x/idle", images), "a/idle by name");
  EXPECT_EQ(matched(kTwos, "/x/server", images), "build-id-mismatch");
  EXPECT_EQ(matched("", "/x/client", images), "other-binary");
  EXPECT_EQ(matched("", "", images), "other-binary");
}

TEST(ImageMatch, TakesNoNameThatSeveralHave) {
  Program ones("a/server", kOnes), twos("b/server", kTwos), none("c/server", "");
  std::vector<const ElfImage*> images{&*ones.image, &*twos.image, &*none.image};
  EXPECT_EQ(matched("", "/x/server", images), "ambiguous-name");
  EXPECT_EQ(describe_ambiguity(match_image({}, "/x/server", images), {}, "/x/server", images),
            "/x/server could be a/server, b/server or c/server, and its build ID is unknown; "
            "its samples are not used. Name the one that ran");
  EXPECT_EQ(matched("3333333333333333", "/x/server", images), "c/server by name")
      << "another build ID rules the others out";
}

TEST(RecordedFileName, IsTheLastComponent) {
  EXPECT_EQ(recorded_file_name("/a/b/server"), "server");
  EXPECT_EQ(recorded_file_name("/a/b/server (deleted)"), "server");
  EXPECT_EQ(recorded_file_name("server"), "server");
  EXPECT_EQ(recorded_file_name("/a/b/"), "");
}

}  // namespace
}  // namespace pgo::image_match_test
