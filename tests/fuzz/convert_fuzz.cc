// A program and a recording of it through all of convert(): either an error that says something, or
// outputs that are what they should be and can be read, and a report that can be shown.
// The input is the program and the recording (two_files.h).
#include <algorithm>
#include <cstdlib>
#include <optional>

#include "converters/address/address_profile_reader.h"
#include "converters/gcc_auto/gcc_auto_profile.h"
#include "converters/llvm_sample/llvm_sample_reader.h"
#include "converters/preaggregated/preaggregated.h"
#include "pgo/convert/convert.h"
#include "pgo/report/convert_report.h"
#include "pgo/report/text_sheet.h"
#include "tests/fuzz/memory_file.h"
#include "tests/fuzz/shown_text.h"
#include "tests/fuzz/two_files.h"

using namespace pgo;

namespace {

bool can_be_read(Bytes bytes, Format format) {
  switch (format) {
    case Format::kGcc: return parse_gcc_auto_profile(bytes, "output").has_value();
    case Format::kPreaggregated: return parse_preaggregated(bytes, "output").has_value();
    case Format::kAddressProfile: return read_address_profile(bytes, "output").has_value();
    default: return read_llvm_sample(bytes, "output").has_value();
  }
}

void check(const ConvertResult& result, const ConvertRequest& request) {
  if (result.outputs.size() != request.outputs.size()) std::abort();
  for (const OutputFile& output : result.outputs) {
    auto spec = std::ranges::find(request.outputs, output.path, &OutputSpec::path);
    if (spec == request.outputs.end()) std::abort();
    Bytes contents{reinterpret_cast<const uint8_t*>(output.contents.data()),
                   output.contents.size()};
    if (detect_format(contents) != spec->format || !can_be_read(contents, spec->format))
      std::abort();
  }
  for (const Message& message : convert_messages(result)) test::check_text(printable(message.text));
  test::check_json(convert_json(result));
}

void convert_and_check(const ConvertRequest& request) {
  Result<ConvertResult> result = convert(request);
  if (result)
    check(*result, request);
  else
    test::check_error(result.error());
}

}  // namespace

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size,
                                          unsigned seed) {
  return test::mutate_files(data, size, max_size, seed);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::optional<test::TwoFiles> input = test::split_files({data, size});
  if (!input) return -1;
  test::MemoryFile program(input->first), recording(input->second);

  ConvertRequest request;
  request.inputs = {recording.path()};
  request.binaries = {program.path()};
  request.debug.roots = {};
  request.read.jobs = 1;
  // What every kind of input can become. GCC has no probes, and the last two no samples without
  // addresses.
  request.outputs = {{Format::kLlvm, "/tmp/convert_fuzz.prof"},
                     {Format::kLlvmText, "/tmp/convert_fuzz.proftext"}};
  convert_and_check(request);
  request.count_by = CountBy::kLine;
  request.outputs.push_back({Format::kGcc, "/tmp/convert_fuzz.afdo"});
  request.outputs.push_back({Format::kPreaggregated, "/tmp/convert_fuzz.preagg"});
  request.outputs.push_back({Format::kAddressProfile, "/tmp/convert_fuzz.addr"});
  convert_and_check(request);
  return 0;
}
