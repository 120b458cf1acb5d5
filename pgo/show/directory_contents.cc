#include "pgo/show/directory_contents.h"

#include "converters/address/address_profile_reader.h"
#include "converters/perf_data/recording.h"
#include "converters/preaggregated/preaggregated.h"
#include "pgo/ingest/inconvertible.h"
#include "pgo/ingest/stack_input.h"
#include "pgo/source/input_bytes.h"
#include "pgo/source/input_files.h"

namespace pgo {
namespace {

template <typename T>
std::optional<Error> error_of(const Result<T>& result) {
  return result ? std::nullopt : std::optional<Error>(result.error());
}

// Reads `input` as a conversion begins to.
void examine(const InputBytes& input, DirectoryContents::File& file) {
  if (!input.format()) {
    file.error = input.unknown().error;
    return;
  }
  const std::string& path = input.path();
  Diagnostics ignored;  // the conversion itself tells of them
  switch (*input.format()) {
    case Format::kPprof:
    case Format::kGperftools:
    case Format::kFolded: file.error = error_of(read_stack_profile(input, ignored)); break;
    case Format::kAddressProfile:
      file.error = error_of(read_address_profile(input.contents(), path));
      break;
    case Format::kPreaggregated:
      file.error = error_of(parse_preaggregated(input.contents(), path));
      break;
    case Format::kPerfData: {
      Result<perf_data::Recording> recording =
          perf_data::scan_recording(input.contents(), path, {});
      file.error = error_of(recording);
      file.is_truncated = recording && recording->is_truncated;
      break;
    }
    default: break;
  }
}

}  // namespace

Result<DirectoryContents> read_directory_contents(const std::string& path) {
  PGO_TRY(std::vector<InputFile> inputs, find_input_files({path}));
  DirectoryContents contents;
  if (inputs[0].bundle) contents.bundle = inputs[0].bundle->bundle;
  for (const InputFile& input : inputs) {
    DirectoryContents::File file;
    file.path = input.path;
    Result<InputBytes> bytes = InputBytes::open(input.path);
    file.is_opened = bytes.has_value();
    if (bytes) {
      file.size = bytes->file().size();
      file.format = bytes->format();
      examine(*bytes, file);
      if (Result<void> same = check_digest(input, bytes->file()); !same) file.error = same.error();
      contents.readable += !file.error && is_convertible(*bytes);
    } else {
      file.error = bytes.error();
    }
    contents.files.push_back(std::move(file));
  }
  return contents;
}

}  // namespace pgo
