// A program and a recording of it through all of convert(): either an error that says something, or
// a profile that adds up and outputs that are of the formats they should be.
// The input is the size of the program (u32), the program, and the recording.
#include <cstdlib>
#include <cstring>

#include "pgo/convert/convert.h"
#include "pgo/report/convert_report.h"
#include "pgo/report/text_sheet.h"
#include "tests/fuzz/memory_file.h"
#include "tests/fuzz/shown_text.h"

using namespace pgo;

namespace {

void check_error(const Error& error) {
  if (error.message.empty() || error.kind == ErrorKind::kInternal) std::abort();
  test::check_text(printable(error.message + error.advice));
}

void check(const ConvertResult& result, const ConvertRequest& request) {
  if (result.outputs.size() != request.outputs.size()) std::abort();
  for (size_t i = 0; i < result.outputs.size(); i++) {
    const std::string& contents = result.outputs[i].contents;
    std::optional<Format> format =
        detect_format(Bytes(reinterpret_cast<const uint8_t*>(contents.data()), contents.size()));
    // A profile without a function has nothing that tells.
    if (!contents.empty() && format != request.outputs[i].format) std::abort();
  }
  for (const Message& message : convert_messages(result)) test::check_text(printable(message.text));
  test::check_json(convert_json(result));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  uint32_t program_size = 0;
  if (size < sizeof program_size) return -1;
  std::memcpy(&program_size, data, sizeof program_size);
  Bytes rest(data + sizeof program_size, size - sizeof program_size);
  if (program_size > rest.size()) return -1;
  test::MemoryFile program(rest.subspan(0, program_size)), recording(rest.subspan(program_size));

  ConvertRequest request;
  request.inputs = {recording.path()};
  request.binaries = {program.path()};
  request.debug.roots = {};
  request.outputs = {{Format::kLlvm, "/tmp/convert_fuzz.prof"},
                     {Format::kLlvmText, "/tmp/convert_fuzz.proftext"},
                     {Format::kGcc, "/tmp/convert_fuzz.afdo"},
                     {Format::kPreaggregated, "/tmp/convert_fuzz.preagg"},
                     {Format::kAddressProfile, "/tmp/convert_fuzz.addr"}};
  request.read.jobs = 1;
  for (CountBy count_by : {CountBy::kProbeOrLine, CountBy::kLine}) {
    request.count_by = count_by;
    Result<ConvertResult> result = convert(request);
    if (result)
      check(*result, request);
    else
      check_error(result.error());
  }
  return 0;
}
