#include "pgo/doctor/doctor.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>

#include "pgo/base/deferred_termination.h"
#include "pgo/base/subprocess.h"
#include "pgo/doctor/binary_check.h"
#include "pgo/doctor/compiler_check.h"
#include "pgo/doctor/tool_check.h"

namespace pgo {
namespace {

// A path that is wrong is an error before the machine is examined, which takes a while.
Result<void> check_paths(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored))
      return fail(ErrorKind::kUsage, path + ": does not exist");
  }
  return ok();
}

Result<void> check_machine(const DoctorRequest& request, Findings& findings) {
  // Programs are tried in temporary directories, which must go when a signal ends this.
  DeferredTermination requests;
  PGO_CHECK(check_compilers(request.compilers, request.search_path, findings));
  check_llvm_tools(request.search_path, kDebianLlvmDirectory, findings);
  check_bolt(request.search_path, request.llvm_bolt, findings);
  return check_recording(request.search_path, findings);
}

}  // namespace

bool DoctorResult::has(Verdict verdict) const {
  return machine.has(verdict) ||
         std::any_of(binaries.begin(), binaries.end(),
                     [&](const BinaryFindings& binary) { return binary.findings.has(verdict); });
}

Result<DoctorResult> examine(const DoctorRequest& request) {
  PGO_CHECK(check_paths(request.binaries));
  DoctorResult result;
  PGO_CHECK(check_machine(request, result.machine));
  for (const std::string& path : request.binaries) {
    result.binaries.push_back({path, {}});
    check_binary(path, request.debug, request.jobs, result.binaries.back().findings);
  }
  return result;
}

}  // namespace pgo
