#include "pgo/elf/inflated_size.h"

#include <elf.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "tests/data/elf_builder.h"

namespace pgo::inflated_size_test {
namespace {

std::string claims(uint64_t size) {
  Elf64_Chdr header{};
  header.ch_type = ELFCOMPRESS_ZLIB;
  header.ch_size = size;
  std::string section(sizeof header + 10, 'x');
  std::memcpy(section.data(), &header, sizeof header);
  return section;
}

std::string check(ElfBuilder& builder) {
  const std::vector<uint8_t> bytes = builder.finish();
  Result<ElfImage> image = ElfImage::parse(bytes, "f");
  if (!image) return image.error().message;
  Result<void> checked = check_inflated_size(*image);
  return checked ? "ok" : checked.error().message + "; " + checked.error().advice;
}

std::string check_one(uint64_t flags, const std::string& contents) {
  ElfBuilder builder;
  builder.add_section(".debug_info", SHT_PROGBITS, flags, 0, contents);
  return check(builder);
}

TEST(InflatedSize, OfOneSection) {
  const uint64_t most = uint64_t{1} << 20;
  EXPECT_EQ(check_one(SHF_COMPRESSED, claims(most)), "ok");
  EXPECT_EQ(
      check_one(SHF_COMPRESSED, claims(most + 1)),
      "f: its compressed section .debug_info claims to inflate from 34 bytes to 1048577, more "
      "than any real one does; is the file damaged? link it again");
  EXPECT_EQ(check_one(0, claims(most + 1)), "ok") << "it is not compressed";
  EXPECT_EQ(check_one(SHF_COMPRESSED, "short"), "ok") << "nothing inflates it";
}

TEST(InflatedSize, OfAllTogether) {
  ElfBuilder builder;
  for (int i = 0; i < 16; i++)
    builder.add_section(".debug_" + std::to_string(i), SHT_PROGBITS, SHF_COMPRESSED, 0,
                        claims(uint64_t{1} << 20));
  EXPECT_EQ(check(builder), "ok");
  builder.add_section(".debug_last", SHT_PROGBITS, SHF_COMPRESSED, 0, claims(uint64_t{1} << 20));
  EXPECT_EQ(
      check(builder),
      "f: its compressed section .debug_last claims to inflate from 34 bytes to 1048576, more "
      "than any real one does; is the file damaged? link it again");
}

}  // namespace
}  // namespace pgo::inflated_size_test
