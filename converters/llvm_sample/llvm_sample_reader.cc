#include "converters/llvm_sample/llvm_sample_reader.h"

#include <llvm/IR/DiagnosticHandler.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/ProfileSummary.h>
#include <llvm/ProfileData/SampleProf.h>
#include <llvm/ProfileData/SampleProfReader.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/VirtualFileSystem.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <optional>

#include "converters/llvm_sample/binary_reader.h"
#include "converters/llvm_sample/profile_kind.h"
#include "converters/llvm_sample/text_end.h"
#include "pgo/code/llvm_error.h"

namespace pgo {
namespace {

using llvm::sampleprof::FunctionSamples;
using llvm::sampleprof::LineLocation;
using llvm::sampleprof::SampleProfileReader;

// Keeps LLVM's first complaint. Without a handler, LLVM would print it and exit.
class Complaints : public llvm::DiagnosticHandler {
 public:
  explicit Complaints(std::string& first) : first_(first) {}
  bool handleDiagnostics(const llvm::DiagnosticInfo& info) override {
    if (info.getSeverity() != llvm::DS_Error || !first_.empty()) return true;
    llvm::raw_string_ostream out(first_);
    llvm::DiagnosticPrinterRawOStream printer(out);
    info.print(printer);
    return true;
  }

 private:
  std::string& first_;
};

// What LLVM's reader of the text form does not expect. It nests a call as deep as its line is
// indented, and takes the last frame of a context that has none; no other form has a place for a
// NUL in a name.
Result<void> check_text(Bytes bytes, const std::string& name) {
  std::string_view text = as_text(bytes);
  for (size_t number = 1; !text.empty(); number++) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    size_t indent = std::min(line.find_first_not_of(' '), line.size());
    std::string where = name + ":" + std::to_string(number) + ": ";
    if (indent > kMaxInlined && indent < line.size())
      return fail(ErrorKind::kInput, where + "calls are inlined more than " +
                                         std::to_string(kMaxInlined) +
                                         " deep, which no compiler does: is the file damaged?");
    if (line.starts_with("[") && line.find(':') < 3)
      return fail(ErrorKind::kInput, where + "a context without a frame");
    if (line.starts_with(":")) return fail(ErrorKind::kInput, where + "a function without a name");
    if (line.find('\0') != line.npos)
      return fail(ErrorKind::kInput, where + "a NUL byte in a text");
  }
  return ok();
}

Failure offset_failure(const std::string& function, const LineLocation& at,
                       const std::string& name) {
  return fail(ErrorKind::kInput, name + ": function " + function + ": line offset " +
                                     std::to_string(at.LineOffset) + ", at most " +
                                     std::to_string(kLastLineOffset) + " expected");
}

// Holds a function of the text form, and what is inlined into it, to what the other forms keep.
Result<void> check_function(const FunctionSamples& function, const LlvmSampleFile& file,
                            const std::string& name) {
  if (!has_attributes(file)) function.getContext().setAllAttributes(llvm::sampleprof::ContextNone);
  for (const auto& [at, record] : function.getBodySamples())
    if (at.LineOffset > kLastLineOffset)
      return offset_failure(sample_function_name(function), at, name);
  for (const auto& [at, callees] : function.getCallsiteSamples()) {
    if (at.LineOffset > kLastLineOffset)
      return offset_failure(sample_function_name(function), at, name);
    for (const auto& [callee_name, callee] : callees) PGO_CHECK(check_function(callee, file, name));
  }
  return ok();
}

// People write such files by hand, so that what looks cut short is read all the same.
void warn_if_cut(Bytes bytes, const std::string& name, SourceProfile& profile) {
  std::string_view text = as_text(bytes);
  Checksums checksums = profile.is_probe_based ? Checksums::kPresent : Checksums::kNone;
  TextEnd end = find_text_end(text, checksums);
  if (end == TextEnd::kWhole) return;
  profile.diagnostics.warn(
      "cut-short",
      name + (end == TextEnd::kWithinLine
                  ? ": the last line does not end with a newline: was the file cut short? Its last "
                    "number may be wrong"
                  : ": the last function does not have all of its lines: was the file cut short?"));
}

// What must live as long as the names of a profile: the reader has copied the file and points into
// that copy.
struct Source {
  std::string complaint;
  llvm::LLVMContext context;
  std::unique_ptr<SampleProfileReader> reader;
};

Failure read_failure(const Source& source, const std::string& name, std::error_code error) {
  // LLVM's complaint begins with the name and, for text, the line.
  if (!source.complaint.empty()) return fail(ErrorKind::kInput, source.complaint);
  return llvm_failure(ErrorKind::kInput, name, error);
}

std::vector<SummaryCutoff> cutoffs_of(llvm::ProfileSummary& summary) {
  std::vector<SummaryCutoff> cutoffs;
  for (const llvm::ProfileSummaryEntry& entry : summary.getDetailedSummary())
    cutoffs.push_back({entry.Cutoff, entry.MinCount, entry.NumCounts});
  return cutoffs;
}

}  // namespace

Result<LlvmSampleFile> read_llvm_sample(Bytes bytes, const std::string& name) {
  if (std::optional<LlvmSampleFormat> format = detect_binary_llvm_sample(bytes))
    return read_binary_sample(bytes, *format, name);
  PGO_CHECK(check_text(bytes, name));

  LlvmSampleFile file;
  file.format = LlvmSampleFormat::kText;
  ProfileKind kind;
  auto source = std::make_shared<Source>();
  source->context.setDiagnosticHandler(std::make_unique<Complaints>(source->complaint));
  std::unique_ptr<llvm::MemoryBuffer> buffer =
      llvm::MemoryBuffer::getMemBufferCopy(as_text(bytes), name);
  auto reader =
      SampleProfileReader::create(buffer, source->context, *llvm::vfs::getRealFileSystem());
  if (!reader) return read_failure(*source, name, reader.getError());
  source->reader = std::move(*reader);
  if (std::error_code error = source->reader->read()) return read_failure(*source, name, error);

  file.is_context_sensitive = source->reader->profileIsCS();
  file.is_pre_inlined = source->reader->profileIsPreInlined();
  file.names_are_hashes = source->reader->useMD5();
  file.cutoffs = cutoffs_of(source->reader->getSummary());
  file.profile.is_flow_sensitive = source->reader->profileIsFS();
  file.profile.is_probe_based = source->reader->profileIsProbeBased();
  file.profile.functions() = std::move(source->reader->getProfiles());
  file.profile.names.push_back(std::move(source));
  for (const auto& [context, function] : file.profile.functions())
    PGO_CHECK(check_function(function, file, name));
  warn_if_cut(bytes, name, file.profile);
  return file;
}

bool has_attributes(const LlvmSampleFile& file) {
  return file.profile.is_probe_based || file.is_context_sensitive;
}

std::string sample_function_name(const llvm::sampleprof::FunctionSamples& function) {
  return function.getContext().toString();
}

}  // namespace pgo
