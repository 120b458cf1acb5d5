#include "pgo/cli/terminal/exit_code.h"

#include <cstdio>
#include <string>

#include "pgo/base/atomic_file.h"
#include "pgo/cli/terminal/option_words.h"
#include "pgo/report/error_json.h"
#include "pgo/report/json_text.h"
#include "pgo/report/text_sheet.h"

namespace pgo {

int report_error(const Error& error) {
  std::fprintf(stderr, "pgo: error: %s\n", printable(error_text(error)).c_str());
  return kExitError;
}

Result<void> print_error_json(const Error& error) {
  return write_file_atomically("-", json_text(json_with_option_words(error_json(error))));
}

int report_failure(const Error& error, bool json) {
  Result<void> written = json ? print_error_json(error) : ok();
  if (!written) report_error(written.error());
  return report_error(error);
}

int report_any_failure(const Result<ExitCode>& ended, bool json) {
  return ended ? *ended : report_failure(ended.error(), json);
}

}  // namespace pgo
