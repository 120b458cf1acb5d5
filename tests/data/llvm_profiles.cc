#include "tests/data/llvm_profiles.h"

#include <llvm/ADT/SmallString.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/ProfileData/SampleProfReader.h>
#include <llvm/ProfileData/SampleProfWriter.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/VirtualFileSystem.h>
#include <llvm/Support/raw_ostream.h>

#include <cstdlib>
#include <memory>

#include "converters/llvm_sample/profile_kind.h"

namespace pgo::test {
namespace {

using llvm::sampleprof::SampleProfileReader;
using llvm::sampleprof::SampleProfileWriter;

struct Kind {
  const char* name;
  const char* text;
};
constexpr Kind kKinds[] = {
    {"plain",
     "main:1000:1\n"
     " 1: 10\n"
     " 2.3: 20 _Z3barv:15 _Z3foov:5\n"
     " 4: _Z6inlinev:300\n"
     "  1: 300\n"
     "  2: _Z4deepv:200\n"
     "   5: 200\n"
     "_Z3foov:70:5\n"
     " 0: 7\n"},
    {"contexts",
     "[main]:15:2\n 1: 10\n[main:3 @ _Z3foov:1.2 @ _Z3barv]:10:2\n 1: 5 main:3\n"
     " !Attributes: 1\n"},
    {"probes",
     "main:9:1\n 1: 4\n 2: foo:3\n  1: 3\n  !CFGChecksum: 7\n !CFGChecksum: 42\n"
     " !Attributes: 1\n"},
    {"vtables", "main:9:1\n 1: 4 foo:4\n 1: vtables _ZTV1A:3 _ZTV1B:1\n"},
};

struct Form {
  const char* name;
  llvm::sampleprof::SampleProfileFormat format;
  void (*choose)(SampleProfileWriter& writer);
};
constexpr Form kForms[] = {
    {"text", llvm::sampleprof::SPF_Text, [](SampleProfileWriter&) {}},
    {"binary", llvm::sampleprof::SPF_Binary, [](SampleProfileWriter&) {}},
    {"extbinary", llvm::sampleprof::SPF_Ext_Binary, [](SampleProfileWriter&) {}},
    {"compressed", llvm::sampleprof::SPF_Ext_Binary,
     [](SampleProfileWriter& writer) { writer.setToCompressAllSections(); }},
    {"hashed", llvm::sampleprof::SPF_Ext_Binary,
     [](SampleProfileWriter& writer) { writer.setUseMD5(); }},
    {"split", llvm::sampleprof::SPF_Ext_Binary,
     [](SampleProfileWriter& writer) { writer.setUseCtxSplitLayout(); }},
};

// The text, as LLVM reads and writes it. A form that LLVM refuses to write gives nothing.
std::string rewrite(const char* text, const Form& form) {
  ProfileKind kind;  // between reading and writing, what the reader has set holds
  llvm::LLVMContext context;
  auto buffer = llvm::MemoryBuffer::getMemBuffer(text);
  auto reader = SampleProfileReader::create(buffer, context, *llvm::vfs::getRealFileSystem());
  if (!reader || (*reader)->read()) std::abort();
  llvm::SmallString<0> bytes;
  std::unique_ptr<llvm::raw_ostream> out = std::make_unique<llvm::raw_svector_ostream>(bytes);
  auto writer = SampleProfileWriter::create(out, form.format);
  if (!writer) return "";
  form.choose(**writer);
  if ((*writer)->write((*reader)->getProfiles())) return "";
  return std::string(bytes.str());
}

}  // namespace

std::vector<LlvmProfile> llvm_profiles() {
  std::vector<LlvmProfile> profiles;
  for (const Kind& kind : kKinds)
    for (const Form& form : kForms) {
      std::string bytes = rewrite(kind.text, form);
      if (!bytes.empty())
        profiles.push_back({std::string(kind.name) + "." + form.name, std::move(bytes)});
    }
  return profiles;
}

}  // namespace pgo::test
