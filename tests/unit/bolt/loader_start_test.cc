// Which loader is run, and what is not; tests/e2e/bolt/keeps_programs_working.sh reads what it
// says.
#include "bolt/loader_start.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/data/elf_builder.h"

namespace pgo::loader_start_test {
namespace {

class LoaderStartTest : public testing::Test {
 protected:
  LoaderStartTest() {
    std::string path = testing::TempDir() + "/loader-XXXXXX";
    directory_ = ::mkdtemp(path.data());
    std::ofstream(directory_ + "/ld-mine.so") << "#!/bin/sh\ntouch " << ran() << "\n";
    ::chmod((directory_ + "/ld-mine.so").c_str(), 0755);
  }
  ~LoaderStartTest() override { std::filesystem::remove_all(directory_); }

  std::string ran() const { return directory_ + "/ran"; }

  // Starts the loader of a file that names this one.
  LoaderStart start(const std::string& loader) const {
    ElfBuilder elf;
    elf.add_section(".interp", SHT_PROGBITS, SHF_ALLOC, 0x1000, loader + std::string(1, '\0'));
    std::vector<uint8_t> file = elf.finish();
    Result<ElfImage> image = ElfImage::parse(file, directory_ + "/app");
    EXPECT_TRUE(image) << image.error().message;
    Result<LoaderStart> start = start_loader(*image, "", std::chrono::seconds(60));
    EXPECT_TRUE(start) << start.error().message;
    return *start;
  }

  std::string directory_;
};

TEST_F(LoaderStartTest, OnlyTheSystemsLoadersAreRun) {
  std::string up = "/lib/x86_64-linux-gnu/../..";
  for (const std::string& loader :
       {directory_ + "/ld-mine.so", "/lib/.." + directory_ + "/ld-mine.so",
        up + directory_ + "/ld-mine.so", std::string("/bin/sh"), std::string("ld-mine.so"),
        std::string("/lib64/ld-of-no-system.so.1"), std::string()})
    EXPECT_FALSE(start(loader).possible) << loader;
  EXPECT_FALSE(std::filesystem::exists(ran()));
}

TEST_F(LoaderStartTest, ThisProgramLoads) {
  Result<ElfImage> image = ElfImage::open("/proc/self/exe");
  ASSERT_TRUE(image) << image.error().message;
  Result<LoaderStart> start = start_loader(*image, "", std::chrono::seconds(60));
  ASSERT_TRUE(start) << start.error().message;
  EXPECT_TRUE(start->possible);
}

}  // namespace
}  // namespace pgo::loader_start_test
