// TemporaryFiles: a test with a directory of its own, which goes away with it, and the files that
// it writes there. Errors name their paths: relative() leaves out the directory.
//
//   class MergeTest : public test::TemporaryFiles { … };
//   TEST_F(MergeTest, …) { merge({write("a.folded", "main 1\n"), write("hosts/b.folded", "…")}); }
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "pgo/base/bytes.h"
#include "pgo/base/result.h"
#include "pgo/base/temporary_directory.h"

namespace pgo::test {

class TemporaryFiles : public testing::Test {
 protected:
  std::string directory() const { return directory_.path(); }
  std::string path(const std::string& name) const { return directory_.file(name); }

  // Creates the folders of `name`; returns the path.
  std::string write(const std::string& name, std::string_view contents) const {
    std::filesystem::create_directories(std::filesystem::path(path(name)).parent_path());
    std::ofstream(path(name), std::ios::binary) << contents;
    return path(name);
  }
  std::string write(const std::string& name, Bytes contents) const {
    return write(name, as_text(contents));
  }

  // `text` without the path of the directory.
  std::string relative(std::string text) const {
    const std::string prefix = directory() + "/";
    for (size_t at; (at = text.find(prefix)) != text.npos;) text.erase(at, prefix.size());
    return text;
  }
  // The message and the advice, which follows a semicolon even when there is none.
  std::string text_of(const Error& error) const {
    return relative(error.message + "; " + error.advice);
  }

 private:
  TemporaryDirectory directory_ = TemporaryDirectory::make().value();
};

}  // namespace pgo::test
