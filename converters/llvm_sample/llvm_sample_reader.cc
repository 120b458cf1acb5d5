#include "converters/llvm_sample/llvm_sample_reader.h"

#include <llvm/IR/DiagnosticHandler.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/ProfileSummary.h>
#include <llvm/ProfileData/SampleProfReader.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/VirtualFileSystem.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <optional>

#include "converters/llvm_sample/profile_kind.h"
#include "pgo/profile/accounting.h"
#include "pgo/symbolize/llvm_error.h"

namespace pgo {
namespace {

using llvm::sampleprof::SampleProfileReader;

constexpr uint64_t kVersion = 103;
// zlib shrinks nothing further than this.
constexpr uint64_t kMostInflation = 1032;

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

// What a profile is stored as, by its magic number.
std::optional<LlvmSampleFormat> binary_format(Bytes bytes) {
  ByteCursor cursor(bytes);
  uint64_t magic = cursor.uleb128();
  if (!cursor.ok()) return std::nullopt;
  if (magic == llvm::sampleprof::SPMagic(llvm::sampleprof::SPF_Binary))
    return LlvmSampleFormat::kBinary;
  if (magic == llvm::sampleprof::SPMagic(llvm::sampleprof::SPF_Ext_Binary))
    return LlvmSampleFormat::kExtBinary;
  return std::nullopt;
}

Failure malformed(const std::string& name, const std::string& what) {
  return fail(ErrorKind::kInput, name + ": " + what + ": is this LLVM sample profile cut short?");
}

// How many elements `section` claims to start with must fit into it.
Result<void> check_count(Bytes section, const std::string& name) {
  ByteCursor cursor(section);
  uint64_t count = cursor.uleb128();
  if (cursor.ok() && count <= section.size()) return ok();
  return malformed(name, "a table of " + std::to_string(section.size()) + " bytes claims " +
                             std::to_string(count) + " entries");
}

Result<void> check_section(Bytes bytes, uint64_t type, uint64_t flags, const std::string& name) {
  if ((flags & static_cast<uint64_t>(llvm::sampleprof::SecCommonFlags::SecFlagCompress)) != 0) {
    ByteCursor cursor(bytes);
    uint64_t inflated = cursor.uleb128(), stored = cursor.uleb128();
    if (!cursor.ok() || stored > cursor.remaining() || inflated / kMostInflation > stored)
      return malformed(name, "a compressed section of " + std::to_string(bytes.size()) +
                                 " bytes claims " + std::to_string(inflated));
    return ok();
  }
  if (type == llvm::sampleprof::SecNameTable || type == llvm::sampleprof::SecFuncOffsetTable ||
      type == llvm::sampleprof::SecCSNameTable)
    return check_count(bytes, name);
  return ok();
}

// The section table of the extensible binary form: every section must lie in the file.
Result<void> check_sections(Bytes bytes, const std::string& name) {
  ByteCursor cursor(bytes);
  cursor.uleb128();
  cursor.uleb128();
  uint64_t sections = cursor.u64();
  if (!cursor.ok() || sections > cursor.remaining() / 32)
    return malformed(name, "the table of sections lies outside the file");
  bool has_summary = false;
  for (uint64_t i = 0; i < sections; i++) {
    uint64_t type = cursor.u64(), flags = cursor.u64(), offset = cursor.u64(), size = cursor.u64();
    if (offset > bytes.size() || size > bytes.size() - offset)
      return malformed(name, "section " + std::to_string(i) + " ends at byte " +
                                 std::to_string(saturating_add(offset, size)) + " of " +
                                 std::to_string(bytes.size()));
    if (size == 0) continue;
    has_summary |= type == llvm::sampleprof::SecProfSummary;
    PGO_CHECK(check_section(bytes.subspan(static_cast<size_t>(offset), static_cast<size_t>(size)),
                            type, flags, name));
  }
  if (!has_summary) return malformed(name, "there is no summary section");
  return ok();
}

// The binary form: summary {total, largest count, largest function count, counts, functions,
// cutoffs, cutoffs x 3 numbers}, then the number of names.
Result<void> check_binary(Bytes bytes, const std::string& name) {
  ByteCursor cursor(bytes);
  for (int i = 0; i < 2 + 5; i++) cursor.uleb128();
  uint64_t cutoffs = cursor.uleb128();
  if (!cursor.ok() || cutoffs > cursor.remaining())
    return malformed(name, "the summary lies outside the file");
  for (uint64_t i = 0; i < 3 * cutoffs; i++) cursor.uleb128();
  if (!cursor.ok()) return malformed(name, "the summary lies outside the file");
  return check_count(bytes.subspan(cursor.position()), name);
}

Result<void> check_header(Bytes bytes, LlvmSampleFormat format, const std::string& name) {
  if (format == LlvmSampleFormat::kText) return ok();
  ByteCursor cursor(bytes);
  cursor.uleb128();
  uint64_t version = cursor.uleb128();
  if (!cursor.ok()) return malformed(name, "the header ends early");
  if (version != kVersion)
    return fail(ErrorKind::kUnsupported, name + ": is an LLVM sample profile of version " +
                                             std::to_string(version) + "; LLVM 22 reads version " +
                                             std::to_string(kVersion));
  return format == LlvmSampleFormat::kExtBinary ? check_sections(bytes, name)
                                                : check_binary(bytes, name);
}

llvm::StringRef as_text(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
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

bool is_llvm_sample(Bytes bytes) {
  if (binary_format(bytes)) return true;
  // The first line says whether this is the text form; no function has a longer name.
  Bytes start = bytes.first(std::min<size_t>(bytes.size(), size_t{1} << 16));
  if (start.empty() || std::find(start.begin(), start.end(), uint8_t{0}) != start.end())
    return false;
  std::unique_ptr<llvm::MemoryBuffer> buffer = llvm::MemoryBuffer::getMemBufferCopy(as_text(start));
  return llvm::sampleprof::SampleProfileReaderText::hasFormat(*buffer);
}

Result<LlvmSampleFile> read_llvm_sample(Bytes bytes, const std::string& name) {
  LlvmSampleFile file;
  file.format = binary_format(bytes).value_or(LlvmSampleFormat::kText);
  PGO_CHECK(check_header(bytes, file.format, name));

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
  // Nothing else tells that the binary form ends early between two functions.
  uint64_t functions = source->reader->getSummary().getNumFunctions();
  uint64_t found = source->reader->getProfiles().size();
  if (file.format == LlvmSampleFormat::kBinary && found != functions)
    return malformed(name, "the summary promises " + std::to_string(functions) +
                               " functions, found " + std::to_string(found));
  file.cutoffs = cutoffs_of(source->reader->getSummary());
  file.profile.is_flow_sensitive = source->reader->profileIsFS();
  file.profile.is_probe_based = source->reader->profileIsProbeBased();
  file.profile.functions = std::move(source->reader->getProfiles());
  file.profile.names.push_back(std::move(source));
  return file;
}

std::string sample_function_name(const llvm::sampleprof::FunctionSamples& function) {
  return function.getContext().toString();
}

}  // namespace pgo
