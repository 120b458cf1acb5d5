#include "pgo/source/duplicate_files.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "pgo/base/mapped_file.h"
#include "tests/data/temporary_files.h"

namespace pgo::duplicate_files_test {
namespace {

class DuplicateFilesTest : public test::TemporaryFiles {
 protected:
  // What is said when `files` are read in their order.
  Diagnostics read(const std::vector<InputFile>& files) const {
    DuplicateFiles duplicates(files);
    for (const InputFile& file : files)
      duplicates.add(file, MappedFile::open(file.path).value().bytes());
    Diagnostics diagnostics;
    duplicates.warn(diagnostics);
    return diagnostics;
  }
};

using Texts = std::vector<std::string>;

TEST_F(DuplicateFilesTest, FilesWithTheSameBytesAreCopiesOfTheFirst) {
  write("a.perf", "samples");
  write("b.perf", "samplez");  // of the same size
  write("c.perf", "samples");
  write("d.perf", "samples of another size");
  write("empty1", "");
  write("empty2", "");
  std::vector<InputFile> files = find_input_files({path(""), path("a.perf")}).value();
  Diagnostics said = read(files);
  EXPECT_EQ(said.entries().at("named-twice").messages,
            Texts{path("a.perf") + ": is named twice and is counted twice"});
  EXPECT_EQ(said.entries().at("copy").messages,
            Texts{path("c.perf") + ": is a copy of " + path("a.perf") +
                  ", and both are counted; leave one out"});
  EXPECT_EQ(said.entries().size(), 2u);
  // The order in which threads come does not show.
  std::reverse(files.begin(), files.end());
  EXPECT_EQ(read(files), said);
}

TEST_F(DuplicateFilesTest, OnlyFilesThatCountAreCompared) {
  write("a.perf", "samples");
  write("b.perf", "samples");
  std::vector<InputFile> files = find_input_files({path("a.perf"), path("b.perf")}).value();
  DuplicateFiles duplicates(files);
  duplicates.add(files[1], MappedFile::open(files[1].path).value().bytes());
  Diagnostics said;
  duplicates.warn(said);
  EXPECT_TRUE(said.entries().empty());
}

}  // namespace
}  // namespace pgo::duplicate_files_test
