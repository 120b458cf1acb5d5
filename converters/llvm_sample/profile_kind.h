// LLVM keeps what kind of profile "the" profile is (flow-sensitive, of hashed names, ...) in static
// variables, which its readers set and its writers obey. ProfileKind puts back what was there, so
// that profiles of different kinds can be read and written one after the other (but not at the same
// time). Only files of this folder touch these variables.
#pragma once

#include <llvm/ProfileData/SampleProf.h>

namespace pgo {

class ProfileKind {
 public:
  ProfileKind() = default;
  ~ProfileKind() {
    Samples::ProfileIsCS = is_context_sensitive_;
    Samples::ProfileIsFS = is_flow_sensitive_;
    Samples::ProfileIsPreInlined = is_pre_inlined_;
    Samples::ProfileIsProbeBased = is_probe_based_;
    Samples::HasUniqSuffix = has_unique_suffix_;
    Samples::UseMD5 = uses_md5_;
  }
  ProfileKind(const ProfileKind&) = delete;
  ProfileKind& operator=(const ProfileKind&) = delete;

 private:
  using Samples = llvm::sampleprof::FunctionSamples;

  bool is_context_sensitive_ = Samples::ProfileIsCS;
  bool is_flow_sensitive_ = Samples::ProfileIsFS;
  bool is_pre_inlined_ = Samples::ProfileIsPreInlined;
  bool is_probe_based_ = Samples::ProfileIsProbeBased;
  bool has_unique_suffix_ = Samples::HasUniqSuffix;
  bool uses_md5_ = Samples::UseMD5;
};

}  // namespace pgo
