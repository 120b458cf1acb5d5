#include "pgo/record/recording_assembly.h"

#include <fcntl.h>
#include <unistd.h>

#include <vector>

#include "pgo/base/mapped_file.h"
#include "pgo/base/unique_fd.h"
#include "pgo/record/plugin/recording_state.h"

namespace pgo {
namespace {

Result<std::vector<MappedFile>> open_parts(const std::string& first) {
  std::vector<MappedFile> files;
  PGO_TRY(MappedFile opened, MappedFile::open(first));
  if (opened.bytes().size() < kDataOffset)
    return fail(ErrorKind::kIo, first + ": the engine did not begin a recording");
  auto state = load_le<RecordingState>(opened.bytes().data() + kStateOffset);
  files.push_back(std::move(opened));
  for (uint32_t number = 1; number < state.parts; number++) {
    std::string path = first + "." + std::to_string(number);
    // A part that could not be made has left a note.
    if (::access(path.c_str(), F_OK) != 0) continue;
    PGO_TRY(MappedFile part, MappedFile::open(path));
    if (part.bytes().size() >= kDataOffset) files.push_back(std::move(part));
  }
  return files;
}

}  // namespace

Result<RecordingTotals> assemble_recording(const RecordingOutput& output,
                                           const std::string& first_part,
                                           const RecordingLabel& label) {
  PGO_TRY(std::vector<MappedFile> files, open_parts(first_part));
  std::vector<Bytes> contents;
  contents.reserve(files.size());
  for (const MappedFile& file : files) contents.push_back(file.bytes());
  constexpr const char* kWhole = "whole";
  UniqueFd out(::open(output.file(kWhole).c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (out.fd < 0) return creation_failure(output.path(), output.file(kWhole));
  ByteSink sink = [&](Bytes bytes) { return write_all(out.fd, as_text(bytes), output.path()); };
  PGO_TRY(RecordingTotals totals, assemble_parts(contents, label, sink));
  if (::fsync(out.fd) != 0) return io_failure(output.path(), "cannot write");
  PGO_TRY(std::string warning, output.place(kWhole));
  if (!warning.empty()) totals.notes.push_back(warning);
  return totals;
}

}  // namespace pgo
