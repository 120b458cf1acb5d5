#include "pgo/elf/bolt/layout_id.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/data/elf_builder.h"

namespace pgo::layout_id_test {
namespace {

// A file with this build ID, in bytes, and these contents of another section.
std::string file_with(const std::string& id, const std::string& data = "code") {
  ElfBuilder elf;
  elf.add_section(".data", SHT_PROGBITS, SHF_ALLOC, 0x400200, data);
  elf.add_section(".note.gnu.build-id", SHT_NOTE, SHF_ALLOC, 0x400300,
                  ElfBuilder::note("GNU", NT_GNU_BUILD_ID, id));
  std::vector<uint8_t> file = elf.finish();
  return {file.begin(), file.end()};
}

Result<ElfImage> parse(const std::string& file) {
  return ElfImage::parse({reinterpret_cast<const uint8_t*>(file.data()), file.size()}, "prog");
}

BuildId id_of(const std::string& file) {
  Result<ElfImage> image = parse(file);
  return image ? image->build_id() : BuildId();
}

std::string with_layout_id(const std::string& file) {
  std::string contents = file;
  Result<ElfImage> image = parse(file);
  if (image) write_layout_id(*image, contents);
  return contents;
}

const std::string kId = "0123456789abcdefghi\x01";

TEST(LayoutId, IsOfTheContents) {
  const std::string one = with_layout_id(file_with(kId)),
                    other = with_layout_id(file_with(kId, "c0de"));
  EXPECT_EQ(with_layout_id(file_with(kId)), one);
  EXPECT_NE(id_of(one), id_of(other));
  EXPECT_NE(id_of(one), id_of(file_with(kId)));
  // The other bytes are as they were.
  EXPECT_EQ(one.size(), file_with(kId).size());
  EXPECT_TRUE(one.find("0123456789abcde") != std::string::npos);
  EXPECT_TRUE(one.find("code") != std::string::npos);
}

TEST(LayoutId, IsOneIdentityWithTheInputButNeverItsId) {
  for (char data = 'a'; data < 'a' + 20; data++)
    for (char last : {'\x40', '\x41'}) {
      const std::string file = file_with(kId.substr(0, 19) + last, std::string(1, data));
      const BuildId layout = id_of(with_layout_id(file));
      const BuildId input = id_of(file_with(kId.substr(0, 19) + static_cast<char>(last ^ 1)));
      EXPECT_TRUE(layout.matches_bolted(input));
      EXPECT_FALSE(layout.matches(input));
      EXPECT_EQ(layout.bytes().back() & 1, last & 1);
    }
}

TEST(LayoutId, TakesAQuarterOfAnIdOfAnySize) {
  for (size_t size : {8u, 16u, 32u}) {
    const std::string id(size, 'x');
    const BuildId layout = id_of(with_layout_id(file_with(id)));
    const auto kept = static_cast<std::ptrdiff_t>(size - size / 4);
    EXPECT_EQ(std::string(layout.bytes().begin(), layout.bytes().begin() + kept),
              id.substr(0, static_cast<size_t>(kept)));
    EXPECT_NE(layout, id_of(file_with(id)));
  }
  // Too short, too long for a BuildId, and none at all.
  for (const std::string& id : {std::string(7, 'x'), std::string(33, 'x'), std::string()})
    EXPECT_EQ(with_layout_id(file_with(id)), file_with(id)) << id.size();
}

}  // namespace
}  // namespace pgo::layout_id_test
