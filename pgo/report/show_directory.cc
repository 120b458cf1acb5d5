// A directory: a line for each file, and how many of them a conversion reads.

#include "pgo/base/number_text.h"
#include "pgo/report/show_kinds.h"
#include "pgo/report/text_sheet.h"

namespace pgo {
namespace {

std::string format_name(const DirectoryContents::File& file) {
  if (!file.is_opened) return "cannot be read";
  return file.format ? std::string(info_of(*file.format).name) : "not known";
}

// "perf.data recording, truncated", "damaged".
std::string describe(const DirectoryContents::File& file) {
  if (!file.is_opened) return "cannot be read";
  if (file.size == 0) return "empty";
  bool is_damaged = file.error && file.error->kind == ErrorKind::kInput;
  if (!file.format) return is_damaged ? "damaged" : "not known";
  return format_name(file) + (is_damaged          ? ", damaged"
                              : file.error        ? ", not read"
                              : file.is_truncated ? ", truncated"
                                                  : "");
}

}  // namespace

ShowReport report_contents(const ShowResult& result, const DirectoryContents& contents,
                           const OptionWordsFn& words) {
  ShowReport report;
  report.json = {{"path", result.path},
                 {"format", "directory"},
                 {"files", nlohmann::json::array()},
                 {"readable", contents.readable}};
  std::vector<std::vector<std::string>> rows;
  for (const DirectoryContents::File& file : contents.files) {
    if (rows.size() < result.top)
      rows.push_back({file.path, describe(file), format_size(file.size)});
    nlohmann::json json{{"path", file.path},
                        {"kind", format_name(file)},
                        {"size", file.size},
                        {"truncated", file.is_truncated}};
    if (file.error) json["error"] = file.error->message;
    report.json["files"].push_back(std::move(json));
  }
  TextSheet sheet;
  sheet.line(result.path + ": directory of " + format_count(contents.files.size(), "file") +
             "; pgo convert reads " + format_count(contents.readable) + " of them");
  sheet.table({{"FILE"}, {"KIND"}, {"SIZE", Align::kRight}}, rows);
  if (rows.size() < contents.files.size())
    sheet.line("  and " + format_count(contents.files.size() - rows.size()) + " more" +
               words(" (\xFF{top})"));
  report.text = sheet.text();
  return report;
}

}  // namespace pgo
