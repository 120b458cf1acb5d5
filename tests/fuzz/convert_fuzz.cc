// A program and a recording of it through all of convert(): either an error that says something, or
// outputs that are what they should be and can be read, and a report that can be shown.
// The input is the size of the program (u32), the program, and the recording.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "converters/address/address_profile_reader.h"
#include "converters/gcc_auto/gcc_auto_profile.h"
#include "converters/llvm_sample/llvm_sample_reader.h"
#include "converters/preaggregated/preaggregated.h"
#include "pgo/convert/convert.h"
#include "pgo/report/convert_report.h"
#include "pgo/report/text_sheet.h"
#include "tests/data/byte_writer.h"
#include "tests/fuzz/memory_file.h"
#include "tests/fuzz/shown_text.h"

using namespace pgo;

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

namespace {

struct Input {
  Bytes program, recording;
};

std::optional<Input> split(Bytes bytes) {
  ByteCursor cursor(bytes);
  Input input;
  input.program = cursor.take(cursor.u32());
  input.recording = cursor.take(cursor.remaining());
  return cursor.ok() ? std::optional(input) : std::nullopt;
}

test::ByteVector mutated(Bytes bytes, size_t max_size) {
  test::ByteVector copy(bytes.begin(), bytes.end());
  copy.resize(std::max({max_size, copy.size(), size_t{1}}));
  copy.resize(LLVMFuzzerMutate(copy.data(), bytes.size(), copy.size()));
  return copy;
}

void check_error(const Error& error) {
  if (error.message.empty() || error.kind == ErrorKind::kInternal) std::abort();
  test::check_text(printable(error.message + error.advice));
}

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
    check_error(result.error());
}

}  // namespace

// Changes one of both files: what is inserted into the program does not cut the recording.
extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size,
                                          unsigned seed) {
  std::optional<Input> input = split({data, size});
  if (!input) return LLVMFuzzerMutate(data, size, max_size);
  const bool is_program = seed % 2 != 0;
  Bytes changing = is_program ? input->program : input->recording;
  const size_t room = max_size - std::min(max_size, size) + changing.size();
  test::ByteVector changed = mutated(changing, room);
  (is_program ? input->program : input->recording) = changed;
  test::ByteVector joined;
  test::put32(joined, static_cast<uint32_t>(input->program.size()));
  joined.insert(joined.end(), input->program.begin(), input->program.end());
  joined.insert(joined.end(), input->recording.begin(), input->recording.end());
  joined.resize(std::min(joined.size(), max_size));
  std::copy(joined.begin(), joined.end(), data);
  return joined.size();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::optional<Input> input = split({data, size});
  if (!input) return -1;
  test::MemoryFile program(input->program), recording(input->recording);

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
