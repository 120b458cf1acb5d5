// What is in a directory: the files that conversions would look at, and which of them they read.

#include "pgo/base/mapped_file.h"
#include "pgo/cli/description.h"
#include "pgo/cli/file_kind.h"
#include "pgo/cli/funnel.h"
#include "pgo/cli/input_files.h"
#include "pgo/cli/stack_input.h"
#include "pgo/cli/text_sheet.h"

namespace pgo {
Result<Description> describe_directory(const std::string& path, const DescribeOptions& options) {
  PGO_TRY(std::vector<InputFile> files, find_input_files({path}));
  Description description;
  description.json = {{"path", path}, {"format", "directory"}, {"files", nlohmann::json::array()}};
  std::vector<std::vector<std::string>> rows;
  uint64_t readable = 0;
  for (const InputFile& input : files) {
    Result<MappedFile> file = MappedFile::open(input.path);
    Bytes bytes = file ? file->bytes() : Bytes{};
    const FileKind* kind = find_file_kind(bytes);
    std::string name = !file ? "cannot be read" : kind == nullptr ? "not known" : kind->name;
    readable += is_convertible(bytes, kind);
    if (rows.size() < options.top) rows.push_back({input.path, name, format_size(bytes.size())});
    description.json["files"].push_back(
        {{"path", input.path}, {"kind", name}, {"size", bytes.size()}});
  }
  description.json["readable"] = readable;
  TextSheet sheet;
  sheet.line(path + ": directory of " + format_count(files.size(), "file") +
             "; pgo convert reads " + format_count(readable) + " of them");
  sheet.table({{"FILE"}, {"KIND"}, {"SIZE", Align::kRight}}, rows);
  if (rows.size() < files.size())
    sheet.line("  and " + format_count(files.size() - rows.size()) + " more (--top)");
  description.text = sheet.text();
  return description;
}

}  // namespace pgo
