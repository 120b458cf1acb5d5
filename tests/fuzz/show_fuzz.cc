// Any bytes through all of `pgo show`: an error that says something, or a text without control
// characters and JSON that is valid.
#include <cstdlib>

#include "pgo/report/show_report.h"
#include "pgo/show/show.h"
#include "tests/fuzz/memory_file.h"
#include "tests/fuzz/shown_text.h"

using namespace pgo;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  test::MemoryFile file(Bytes(data, size));
  ShowRequest request;
  request.path = file.path();
  request.debug.roots = {};
  request.jobs = 1;
  request.top = 3;
  Result<ShowResult> result = show(request);
  if (!result) {
    test::check_error(result.error());
    return 0;
  }
  ShowReport report = make_show_report(*result, [](const std::string& text) { return text; });
  if (report.text.empty() || !report.text.ends_with('\n')) std::abort();
  test::check_text(report.text);
  test::check_json(report.json);
  return 0;
}
