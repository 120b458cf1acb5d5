#include "converters/llvm_sample/llvm_sample_writer.h"

#include <llvm/ADT/SmallString.h>
#include <llvm/ProfileData/SampleProf.h>
#include <llvm/ProfileData/SampleProfWriter.h>
#include <llvm/Support/raw_ostream.h>

#include "converters/llvm_sample/ext_binary_writer.h"
#include "converters/llvm_sample/profile_kind.h"
#include "converters/llvm_sample/text_name.h"
#include "pgo/code/llvm_error.h"
#include "pgo/code/shown_name.h"

namespace pgo {
namespace {

using llvm::sampleprof::FunctionSamples;
using llvm::sampleprof::SampleProfileFormat;

// A stream that belongs to LLVM's writer and fills a buffer that belongs to us.
using BufferStream = llvm::raw_svector_ostream;

}  // namespace

bool leaves_out_vtables(const SourceProfile& profile, LlvmSampleFormat format) {
  return format == LlvmSampleFormat::kBinary && has_vtables(profile);
}

Result<std::string> write_llvm_sample(const SourceProfile& profile, LlvmSampleFormat format,
                                      unsigned jobs) {
  if (format == LlvmSampleFormat::kExtBinary) return write_ext_binary(profile, jobs);
  if (format == LlvmSampleFormat::kBinary && profile.is_probe_based)
    return fail(ErrorKind::kUnsupported,
                "LLVM's binary form cannot hold pseudo probes; use the extensible binary form "
                "(\xFF{output} llvm:PATH) or text (\xFF{output} llvm-text:PATH)");
  if (format == LlvmSampleFormat::kText)
    if (std::optional<std::string> name = find_unfit_for_text(profile))
      return fail(ErrorKind::kUnsupported,
                  "LLVM's text form cannot hold the function name '" + shown_name(*name) + "'",
                  "write another form (\xFF{output} llvm:PATH)");
  ProfileKind kind;
  FunctionSamples::ProfileIsFS = profile.is_flow_sensitive;
  FunctionSamples::ProfileIsProbeBased = profile.is_probe_based;
  llvm::SmallString<0> buffer;
  std::unique_ptr<llvm::raw_ostream> stream = std::make_unique<BufferStream>(buffer);
  SampleProfileFormat llvm_format =
      format == LlvmSampleFormat::kText ? llvm::sampleprof::SPF_Text : llvm::sampleprof::SPF_Binary;
  auto writer = llvm::sampleprof::SampleProfileWriter::create(stream, llvm_format);
  if (!writer) return llvm_failure(ErrorKind::kInternal, "LLVM sample profile", writer.getError());
  if (std::error_code error = (*writer)->write(profile.functions()))
    return llvm_failure(ErrorKind::kInternal, "LLVM sample profile", error);
  return std::string(buffer.str());
}

}  // namespace pgo
