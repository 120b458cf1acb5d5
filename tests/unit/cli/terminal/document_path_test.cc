#include "pgo/cli/terminal/document_path.h"

#include <gtest/gtest.h>

#include <fstream>

#include "pgo/base/temporary_directory.h"

namespace pgo::document_path_test {
namespace {

namespace fs = std::filesystem;

class DocumentPathTest : public testing::Test {
 protected:
  void SetUp() override {
    directory_.emplace(TemporaryDirectory::make().value());
    root = fs::canonical(directory_->file(""));
  }
  fs::path write(const fs::path& path) {
    fs::create_directories(root / path.parent_path());
    std::ofstream(root / path) << "# A document\n";
    return root / path;
  }

  fs::path root;

 private:
  std::optional<TemporaryDirectory> directory_;
};

TEST_F(DocumentPathTest, BesideAnInstalledProgram) {
  fs::path installed = write("usr/share/doc/prodpgo/docs/guide/merge.md");
  EXPECT_EQ(document_path("docs/guide/merge.md", root / "usr/bin/pgo"), installed.string());
}

TEST_F(DocumentPathTest, InTheSourcesOfABuildTree) {
  fs::path source = write("source/docs/guide/merge.md");
  fs::create_directories(root / "build/bin");
  fs::create_directory_symlink(root / "source/docs", root / "build/docs");
  EXPECT_EQ(document_path("docs/guide/merge.md", root / "build/bin/pgo"), source.string());
}

TEST_F(DocumentPathTest, NamesTheProjectWhereThereAreNoDocuments) {
  const std::string name = "docs/guide/merge.md of ProdPGO";
  EXPECT_EQ(document_path("docs/guide/merge.md", root / "bin/pgo"), name);
  EXPECT_EQ(document_path("docs/guide/merge.md", ""), name);
}

}  // namespace
}  // namespace pgo::document_path_test
