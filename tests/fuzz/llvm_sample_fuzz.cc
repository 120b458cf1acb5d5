// Any bytes as an LLVM sample profile, in all its forms: an error, or a profile that can be written
// in the form that keeps all of it and comes back the same.
#include <cstdlib>

#include "converters/llvm_sample/llvm_sample_reader.h"
#include "converters/llvm_sample/llvm_sample_writer.h"

#include <llvm/ProfileData/SampleProf.h>

using namespace pgo;

namespace {

bool is_plain(const LlvmSampleFile& file) {
  return !file.is_context_sensitive && !file.is_pre_inlined && !file.profile.is_probe_based &&
         !file.names_are_hashes;
}

std::string written(const LlvmSampleFile& file, LlvmSampleFormat format) {
  Result<std::string> bytes = write_llvm_sample(file.profile, format, 1);
  if (!bytes) std::abort();
  return *bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Bytes bytes(data, size);
  (void)is_llvm_sample(bytes);
  Result<LlvmSampleFile> file = read_llvm_sample(bytes, "fuzz");
  if (!file) {
    if (file.error().message.empty()) std::abort();
    return 0;
  }
  (void)file->profile.density(1);
  for (const auto& [key, function] : file->profile.functions())
    (void)sample_function_name(function);
  // What is not written: contexts, probes, hashes.
  if (!is_plain(*file)) return 0;
  std::string stored = written(*file, LlvmSampleFormat::kExtBinary);
  Result<LlvmSampleFile> again = read_llvm_sample(
      {reinterpret_cast<const uint8_t*>(stored.data()), stored.size()}, "written by us");
  if (!again || written(*again, LlvmSampleFormat::kExtBinary) != stored) std::abort();
  return 0;
}
