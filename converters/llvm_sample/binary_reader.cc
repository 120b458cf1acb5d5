#include "converters/llvm_sample/binary_reader.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/ProfileData/SampleProf.h>
#include <llvm/Support/Compression.h>
#include <llvm/Support/Error.h>

#include <algorithm>
#include <deque>
#include <limits>
#include <memory>
#include <utility>

#include "pgo/base/text_bytes.h"
#include "pgo/profile/accounting.h"

namespace pgo {
namespace {

namespace sampleprof = llvm::sampleprof;
using sampleprof::FunctionId;
using sampleprof::FunctionSamples;
using sampleprof::LineLocation;
using sampleprof::SampleContext;

constexpr uint64_t kReadVersion = 103;
constexpr uint64_t kMaxInflation = 1032;  // zlib shrinks nothing further
// All sections together may take that much, and all names in contexts: several sections can be the
// same bytes of the file, and several frames have the same name.
constexpr uint64_t kAlwaysInflated = uint64_t{16} << 20, kMaxInflatedPerByte = 64;

// Flags of sections. The lower half means the same for all, the upper half is each type's own.
constexpr uint64_t kCompressed = 1;
constexpr uint64_t kNamesAreHashes = uint64_t{1} << 32, kHashesAreFixed = uint64_t{2} << 32;
constexpr uint64_t kHasContexts = uint64_t{2} << 32, kFlowSensitive = uint64_t{4} << 32;
constexpr uint64_t kPreInlined = uint64_t{16} << 32, kHasVtables = uint64_t{32} << 32;
constexpr uint64_t kHasChecksums = uint64_t{1} << 32, kHasAttributes = uint64_t{2} << 32;

// What the names and contexts of a profile point into.
struct Storage {
  std::string file;
  std::deque<llvm::SmallVector<uint8_t, 0>> inflated;
  std::deque<sampleprof::SampleContextFrameVector> contexts;
};

// The bytes of one section, with what to call them. Whatever a count promises, a loop over it ends
// when the section does; the first thing that is wrong is kept and fails the section.
class Section {
 public:
  Section(ByteCursor cursor, const std::string& file, const char* what)
      : cursor_(cursor), file_(file), what_(what) {}

  bool ok() const { return cursor_.ok() && problem_.empty(); }
  bool has_more() const { return ok() && cursor_.remaining() != 0; }
  size_t remaining() const { return cursor_.remaining(); }

  uint64_t number() { return cursor_.uleb128(); }
  uint64_t fixed() { return cursor_.u64(); }
  std::string_view text() { return cursor_.c_string(); }
  // A number that must not be larger than `most`; 0 if it is.
  template <typename T>
  T number(const char* meaning, T most = std::numeric_limits<T>::max()) {
    uint64_t value = number();
    if (value <= most) return static_cast<T>(value);
    refuse(std::string(meaning) + " " + std::to_string(value) + ", at most " +
           std::to_string(most) + " expected");
    return 0;
  }
  // How many elements follow; each takes at least one byte.
  uint64_t count(const char* meaning) {
    uint64_t value = number();
    if (value > remaining())
      refuse(std::to_string(value) + " " + meaning + " in " + std::to_string(remaining()) +
             " bytes");
    return ok() ? value : 0;
  }
  void call_it(const char* what) { what_ = what; }
  void refuse(const std::string& problem) {
    if (ok()) problem_ = "up to byte " + std::to_string(cursor_.position()) + ": " + problem;
  }

  Result<void> result() const {
    if (ok()) return pgo::ok();
    return fail(ErrorKind::kInput,
                file_ + ": LLVM sample profile, " + what_ + ": " +
                    (problem_.empty() ? "too short: is the file cut short?" : problem_));
  }

 private:
  ByteCursor cursor_;
  const std::string& file_;
  const char* what_;
  std::string problem_;
};

// What to call a section of this type in messages; null for those that are not read.
const char* section_name(uint64_t type) {
  switch (type) {
    case sampleprof::SecProfSummary: return "the summary";
    case sampleprof::SecNameTable: return "the names";
    case sampleprof::SecCSNameTable: return "the contexts";
    case sampleprof::SecLBRProfile: return "the functions";
    case sampleprof::SecFuncMetadata: return "the metadata";
    default: return nullptr;
  }
}

class BinaryReader {
 public:
  BinaryReader(Bytes bytes, LlvmSampleFormat format, const std::string& name) : name_(name) {
    storage_->file.assign(as_text(bytes));
    file_.format = format;
    inflated_left_ = context_bytes_left_ = kAlwaysInflated + kMaxInflatedPerByte * bytes.size();
  }

  Result<LlvmSampleFile> read();

 private:
  struct Entry {
    uint64_t type, flags;
    Bytes bytes;
  };

  Bytes bytes() const { return as_bytes(storage_->file); }
  Result<void> read_plain(ByteCursor header);
  Result<void> read_sections(ByteCursor header);
  Result<void> read_section(const Entry& entry);
  Result<Bytes> inflate(Bytes stored);

  void read_summary(Section& in);
  void read_names(Section& in, uint64_t flags);
  void read_contexts(Section& in);
  void read_functions(Section& in);
  void read_metadata(Section& in, uint64_t flags);

  void read_body(Section& in, FunctionSamples& function, unsigned depth);
  void read_lines(Section& in, FunctionSamples& function);
  void read_vtables(Section& in, FunctionSamples& function);
  void read_metadata_of(Section& in, FunctionSamples* function, uint64_t flags, unsigned depth);
  LineLocation read_location(Section& in);
  FunctionId read_name(Section& in);
  void take_context_bytes(FunctionId function, Section& in);
  SampleContext read_context(Section& in);

  const std::string& name_;
  std::shared_ptr<Storage> storage_ = std::make_shared<Storage>();
  LlvmSampleFile file_;
  std::vector<FunctionId> names_;
  std::vector<sampleprof::SampleContextFrames> contexts_;
  uint64_t inflated_left_ = 0;       // bytes that compressed sections may still take
  uint64_t context_bytes_left_ = 0;  // and the names in contexts
  uint64_t promised_functions_ = 0;
  bool has_summary_ = false;
  bool has_vtables_ = false;
};

constexpr const char* kTooDeep =
    "calls are inlined more than 1001 deep, which no compiler does: is the file damaged?";

// The summary: total, largest count, largest function count, counts, functions, then the cutoffs.
void BinaryReader::read_summary(Section& in) {
  for (int i = 0; i < 4; i++) in.number();
  promised_functions_ = in.number();
  file_.cutoffs.clear();
  for (uint64_t i = in.count("cutoffs"); i > 0 && in.ok(); i--) {
    SummaryCutoff cutoff;
    cutoff.share_millionths = in.number<uint32_t>("a cutoff");
    cutoff.smallest_count = in.number();
    cutoff.counts = in.number();
    file_.cutoffs.push_back(cutoff);
  }
  has_summary_ = true;
}

void BinaryReader::read_names(Section& in, uint64_t flags) {
  bool fixed = (flags & kHashesAreFixed) != 0, hashes = fixed || (flags & kNamesAreHashes) != 0;
  file_.names_are_hashes |= hashes;
  uint64_t count = in.count("names");
  names_.clear();
  names_.reserve(static_cast<size_t>(count));
  for (uint64_t i = 0; i < count && in.ok(); i++) {
    if (hashes) {
      uint64_t hash = fixed ? in.fixed() : in.number();
      if (hash == 0) return in.refuse("a function whose hash is 0");
      names_.emplace_back(hash);
      continue;
    }
    std::string_view name = in.text();
    names_.emplace_back(llvm::StringRef(name.data(), name.size()));
  }
}

void BinaryReader::read_contexts(Section& in) {
  contexts_.clear();
  for (uint64_t i = in.count("contexts"); i > 0 && in.ok(); i--) {
    sampleprof::SampleContextFrameVector& frames = storage_->contexts.emplace_back();
    uint64_t count = in.count("frames");
    if (count == 0) in.refuse("a context without a frame");
    for (uint64_t j = 0; j < count && in.ok(); j++) {
      FunctionId function = read_name(in);
      take_context_bytes(function, in);
      frames.emplace_back(function, read_location(in));
    }
    if (in.ok()) contexts_.emplace_back(frames);
  }
}

// A context is shown with all of its names, which may be one long name again and again.
void BinaryReader::take_context_bytes(FunctionId function, Section& in) {
  uint64_t bytes = function.isStringRef() ? function.stringRef().size() : sizeof(uint64_t);
  if (bytes > context_bytes_left_)
    return in.refuse("contexts whose names would take more than 64 times the size of the file");
  context_bytes_left_ -= bytes;
}

FunctionId BinaryReader::read_name(Section& in) {
  uint64_t number = in.number();
  if (number < names_.size()) return names_[static_cast<size_t>(number)];
  in.refuse("name " + std::to_string(number) + " of " + std::to_string(names_.size()));
  return {};
}

SampleContext BinaryReader::read_context(Section& in) {
  if (!file_.is_context_sensitive) return SampleContext(read_name(in));
  uint64_t number = in.number();
  if (number < contexts_.size()) return SampleContext(contexts_[static_cast<size_t>(number)]);
  in.refuse("context " + std::to_string(number) + " of " + std::to_string(contexts_.size()));
  return {};
}

LineLocation BinaryReader::read_location(Section& in) {
  uint32_t offset = in.number<uint32_t>("line offset", kLastLineOffset);
  return {offset, in.number<uint32_t>("discriminator")};
}

void BinaryReader::read_functions(Section& in) {
  while (in.has_more()) {
    uint64_t head = in.number();
    SampleContext context = read_context(in);
    if (!in.ok()) break;
    FunctionSamples& function = file_.profile.functions().create(context);
    function.addHeadSamples(head);
    read_body(in, function, 0);
  }
}

void BinaryReader::read_lines(Section& in, FunctionSamples& function) {
  for (uint64_t i = in.count("lines"); i > 0 && in.ok(); i--) {
    LineLocation at = read_location(in);
    uint64_t samples = in.number();
    for (uint64_t j = in.count("callees"); j > 0 && in.ok(); j--) {
      FunctionId callee = read_name(in);
      uint64_t calls = in.number();
      if (in.ok()) function.addCalledTargetSamples(at.LineOffset, at.Discriminator, callee, calls);
    }
    if (in.ok()) function.addBodySamples(at.LineOffset, at.Discriminator, samples);
  }
}

void BinaryReader::read_vtables(Section& in, FunctionSamples& function) {
  for (uint64_t i = in.count("calls by vtable"); i > 0 && in.ok(); i--) {
    LineLocation at = read_location(in);
    uint64_t count = in.count("vtables");
    if (!in.ok()) return;
    sampleprof::TypeCountMap& counts = function.getTypeSamplesAt(at);
    for (uint64_t j = 0; j < count && in.ok(); j++) {
      FunctionId vtable = read_name(in);
      counts.emplace(vtable, in.number());  // of two, the first
    }
  }
}

void BinaryReader::read_body(Section& in, FunctionSamples& function, unsigned depth) {
  if (depth > kMaxInlined) return in.refuse(kTooDeep);
  function.addTotalSamples(in.number());
  read_lines(in, function);
  for (uint64_t i = in.count("inlined calls"); i > 0 && in.ok(); i--) {
    LineLocation at = read_location(in);
    FunctionId name = read_name(in);
    if (!in.ok()) return;
    FunctionSamples& callee = function.functionSamplesAt(at)[name];
    callee.setFunction(name);
    read_body(in, callee, depth + 1);
  }
  if (has_vtables_ && in.ok()) read_vtables(in, function);
}

void BinaryReader::read_metadata(Section& in, uint64_t flags) {
  file_.profile.is_probe_based = (flags & kHasChecksums) != 0;
  while (in.has_more()) {
    SampleContext context = read_context(in);
    if (!in.ok()) break;
    auto found = file_.profile.functions().find(context);
    read_metadata_of(in, found == file_.profile.functions().end() ? nullptr : &found->second, flags,
                     0);
  }
}

// What is said of functions without samples is read and dropped, and so are attributes that a
// profile has no use for (has_attributes).
void BinaryReader::read_metadata_of(Section& in, FunctionSamples* function, uint64_t flags,
                                    unsigned depth) {
  if (depth > kMaxInlined) return in.refuse(kTooDeep);
  if (!in.has_more()) return;
  if ((flags & kHasChecksums) != 0) {
    uint64_t checksum = in.number();
    if (function != nullptr) function->setFunctionHash(checksum);
  }
  if ((flags & kHasAttributes) != 0) {
    uint32_t attributes = in.number<uint32_t>("attributes");
    if (function != nullptr && has_attributes(file_))
      function->getContext().setAllAttributes(attributes);
  }
  if (file_.is_context_sensitive) return;
  for (uint64_t i = in.count("inlined calls"); i > 0 && in.ok(); i--) {
    LineLocation at = read_location(in);
    FunctionId name = read_name(in);
    if (!in.ok()) return;
    FunctionSamples* callee =
        function == nullptr ? nullptr : &function->functionSamplesAt(at)[name];
    read_metadata_of(in, callee, flags, depth + 1);
  }
}

Result<Bytes> BinaryReader::inflate(Bytes stored) {
  ByteCursor cursor(stored);
  uint64_t size = cursor.uleb128(), stored_size = cursor.uleb128();
  if (!cursor.ok() || stored_size > cursor.remaining() || size / kMaxInflation > stored_size ||
      size > inflated_left_)
    return fail(ErrorKind::kInput, name_ + ": a compressed section of " +
                                       std::to_string(stored.size()) +
                                       " bytes of this LLVM sample profile claims to be " +
                                       std::to_string(size) + ": is the file damaged?");
  if (!llvm::compression::zlib::isAvailable())
    return fail(ErrorKind::kUnsupported, name_ +
                                             ": is compressed, and this LLVM was built without "
                                             "zlib; 'llvm-profdata merge --sample' rewrites it");
  inflated_left_ -= size;
  Bytes packed = cursor.take(stored_size);
  llvm::SmallVector<uint8_t, 0>& inflated = storage_->inflated.emplace_back();
  if (llvm::Error error =
          llvm::compression::zlib::decompress(llvm::ArrayRef<uint8_t>(packed.data(), packed.size()),
                                              inflated, static_cast<size_t>(size)))
    return fail(ErrorKind::kInput, name_ +
                                       ": cannot inflate a section of this LLVM sample profile: " +
                                       llvm::toString(std::move(error)));
  return Bytes(inflated.data(), inflated.size());
}

Result<void> BinaryReader::read_section(const Entry& entry) {
  if (section_name(entry.type) == nullptr) return ok();
  Bytes bytes = entry.bytes;
  if ((entry.flags & kCompressed) != 0) {
    PGO_TRY(bytes, inflate(bytes));
  }
  Section in(ByteCursor(bytes), name_, section_name(entry.type));
  switch (entry.type) {
    case sampleprof::SecProfSummary:
      file_.is_context_sensitive |= (entry.flags & kHasContexts) != 0;
      file_.is_pre_inlined |= (entry.flags & kPreInlined) != 0;
      file_.profile.is_flow_sensitive |= (entry.flags & kFlowSensitive) != 0;
      has_vtables_ |= (entry.flags & kHasVtables) != 0;
      read_summary(in);
      break;
    case sampleprof::SecNameTable: read_names(in, entry.flags); break;
    case sampleprof::SecCSNameTable: read_contexts(in); break;
    case sampleprof::SecLBRProfile: read_functions(in); break;
    default: read_metadata(in, entry.flags);
  }
  if (in.has_more()) in.refuse(std::to_string(in.remaining()) + " bytes too many");
  return in.result();
}

// What other sections refer to is read before them.
int reading_order(uint64_t type) {
  switch (type) {
    case sampleprof::SecProfSummary:
    case sampleprof::SecNameTable: return 0;
    case sampleprof::SecCSNameTable: return 1;
    case sampleprof::SecLBRProfile: return 2;
    default: return 3;
  }
}

// Every section must lie in the file; the table may list them in any order.
Result<void> BinaryReader::read_sections(ByteCursor header) {
  auto malformed = [&](const std::string& what) {
    return fail(ErrorKind::kInput,
                name_ + ": " + what + ": is this LLVM sample profile cut short?");
  };
  uint64_t sections = header.u64();
  if (!header.ok() || sections > header.remaining() / 32)
    return malformed("the table of sections lies outside the file");
  std::vector<Entry> entries;
  for (uint64_t i = 0; i < sections; i++) {
    uint64_t type = header.u64(), flags = header.u64(), offset = header.u64(), size = header.u64();
    if (offset > bytes().size() || size > bytes().size() - offset)
      return malformed("section " + std::to_string(i) + " ends at byte " +
                       std::to_string(saturating_add(offset, size)) + " of " +
                       std::to_string(bytes().size()));
    if (size != 0)
      entries.push_back(
          {type, flags, bytes().subspan(static_cast<size_t>(offset), static_cast<size_t>(size))});
  }
  std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return reading_order(a.type) < reading_order(b.type);
  });
  for (const Entry& entry : entries) PGO_CHECK(read_section(entry));
  if (!has_summary_) return malformed("there is no summary section");
  return ok();
}

// One after another: summary, names, functions.
Result<void> BinaryReader::read_plain(ByteCursor header) {
  Section in(header, name_, section_name(sampleprof::SecProfSummary));
  read_summary(in);
  PGO_CHECK(in.result());
  in.call_it(section_name(sampleprof::SecNameTable));
  read_names(in, 0);
  PGO_CHECK(in.result());
  in.call_it(section_name(sampleprof::SecLBRProfile));
  read_functions(in);
  PGO_CHECK(in.result());
  // Nothing else tells that the file ends early between two functions.
  uint64_t found = file_.profile.functions().size();
  if (found == promised_functions_) return ok();
  return fail(ErrorKind::kInput, name_ + ": the summary promises " +
                                     std::to_string(promised_functions_) + " functions, found " +
                                     std::to_string(found) +
                                     ": is this LLVM sample profile cut short?");
}

Result<LlvmSampleFile> BinaryReader::read() {
  ByteCursor header(bytes());
  header.uleb128();
  uint64_t version = header.uleb128();
  if (!header.ok())
    return fail(ErrorKind::kInput,
                name_ + ": the header ends early: is this LLVM sample profile cut short?");
  if (version != kReadVersion)
    return fail(ErrorKind::kUnsupported, name_ + ": is an LLVM sample profile of version " +
                                             std::to_string(version) + "; LLVM 22 reads version " +
                                             std::to_string(kReadVersion));
  PGO_CHECK(file_.format == LlvmSampleFormat::kExtBinary ? read_sections(header)
                                                         : read_plain(header));
  file_.profile.names.push_back(std::move(storage_));
  return std::move(file_);
}

}  // namespace

Result<LlvmSampleFile> read_binary_sample(Bytes bytes, LlvmSampleFormat format,
                                          const std::string& name) {
  return BinaryReader(bytes, format, name).read();
}

}  // namespace pgo
