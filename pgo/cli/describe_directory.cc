// What is in a directory: the files that conversions would look at, which of them they read, and
// what is damaged. Those are read for that as a conversion begins to.

#include "bolt/preaggregated.h"
#include "converters/address/address_profile_reader.h"
#include "converters/perf_data/recording.h"
#include "pgo/base/mapped_file.h"
#include "pgo/cli/description.h"
#include "pgo/cli/file_kind.h"
#include "pgo/cli/funnel.h"
#include "pgo/cli/input_files.h"
#include "pgo/cli/stack_input.h"
#include "pgo/cli/text_sheet.h"

namespace pgo {
namespace {

struct State {
  std::optional<Error> error;  // why a conversion would pass it over
  bool truncated = false;      // it would use what is there
};

State state_of(Bytes bytes, const std::string& path, const FileKind* kind) {
  auto of = [](const auto& result) { return result ? State() : State{.error = result.error()}; };
  if (kind == nullptr) return {.error = unknown_file(bytes, path).error};
  Diagnostics oddities;
  if (kind->describe == describe_stacks) return of(try_stack_profile(bytes, path, oddities));
  if (kind->describe == describe_address_profile) return of(read_address_profile(bytes, path));
  if (kind->describe == describe_preaggregated) return of(parse_preaggregated(bytes, path));
  if (kind->describe != describe_recording) return {};
  Result<perf_data::Recording> recording = perf_data::scan_recording(bytes, path, {});
  State state = of(recording);
  state.truncated = recording && recording->is_truncated();
  return state;
}

// "recording, truncated", "damaged".
std::string name_of(const FileKind* kind, const State& state) {
  bool damaged = state.error && state.error->kind == ErrorKind::kInput;
  if (kind == nullptr) return damaged ? "damaged" : "not known";
  return kind->name + std::string(damaged           ? ", damaged"
                                  : state.error     ? ", not read"
                                  : state.truncated ? ", truncated"
                                                    : "");
}

}  // namespace

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
    State state = file ? state_of(bytes, input.path, kind) : State{.error = file.error()};
    readable += !state.error && is_convertible(bytes, kind);
    std::string shown = !file ? "cannot be read" : bytes.empty() ? "empty" : name_of(kind, state);
    if (rows.size() < options.top) rows.push_back({input.path, shown, format_size(bytes.size())});
    nlohmann::json json{{"path", input.path},
                        {"kind", !file             ? "cannot be read"
                                 : kind == nullptr ? "not known"
                                                   : kind->name},
                        {"size", bytes.size()},
                        {"truncated", state.truncated}};
    if (state.error) json["error"] = state.error->message;
    description.json["files"].push_back(std::move(json));
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
