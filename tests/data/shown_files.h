// ShownFiles: files that a test writes, and what show() answers for them, as text and as JSON.
// Paths in answers and errors are shown without the directory.
#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "pgo/report/json_text.h"
#include "pgo/report/show_report.h"
#include "pgo/show/show.h"
#include "tests/data/temporary_files.h"

namespace pgo::test {

class ShownFiles : public TemporaryFiles {
 protected:
  // One thread, so that failures are easy to read; `top` lines of each table.
  static ShowRequest request(const std::string& path, size_t top = 10) {
    ShowRequest request;
    request.path = path;
    request.jobs = 1;
    request.top = top;
    return request;
  }

  // What is printed; for an error its message and advice.
  std::string text_of(const ShowRequest& request) const {
    Result<ShowResult> result = show(request);
    if (!result)
      return relative("error: " + result.error().message +
                      (result.error().advice.empty() ? "" : "; " + result.error().advice));
    return relative(make_show_report(*result, without_marks).text);
  }
  std::string text_of(const std::string& path) const { return text_of(request(path)); }

  // Null for an error.
  nlohmann::json json_of(const ShowRequest& request) const {
    Result<ShowResult> result = show(request);
    if (!result) return nullptr;
    return nlohmann::json::parse(
        relative(json_text(make_show_report(*result, without_marks).json)));
  }
  nlohmann::json json_of(const std::string& path) const { return json_of(request(path)); }

  // "(\xFF{top})" as "({top})".
  static std::string without_marks(std::string text) {
    std::erase(text, '\xFF');
    return text;
  }
};

}  // namespace pgo::test
