#include "pgo/refresh/go_build.h"

#include <charconv>
#include <chrono>

#include "pgo/base/subprocess.h"

namespace pgo {
namespace {

constexpr std::chrono::seconds kTimeout{60};
constexpr int kFirstMinor = 21;  // of Go 1, where -pgo is no preview any more

}  // namespace

// "PATH: go1.22.3", then lines about the modules.
std::string go_version_in(const std::string& output, const std::string& path) {
  const std::string begin = path + ": ";
  if (!output.starts_with(begin)) return "";
  return output.substr(begin.size(), output.find_first_of("\n ", begin.size()) - begin.size());
}

bool takes_profiles(const std::string& go_version) {
  constexpr std::string_view kGo1 = "go1.";
  if (go_version.starts_with("devel")) return true;
  if (!go_version.starts_with(kGo1)) return go_version.starts_with("go2");
  int minor = 0;
  const char* const end = go_version.data() + go_version.size();
  std::from_chars(go_version.data() + kGo1.size(), end, minor);
  return minor >= kFirstMinor;
}

GateResult check_go_version(const std::string& path) {
  GateResult gate{"go-version", "-", "at least go1.21", GateVerdict::kNotChecked, ""};
  const std::optional<std::string> go = find_program("go", search_path_from_environment());
  if (!go) {
    gate.reason = "go is not installed, so the Go version of the current build is not known";
    return gate;
  }
  const Result<ProcessResult> finished =
      run_subprocess_within(kTimeout, {*go, "version", "-m", path});
  const std::string version =
      finished && finished->exit_status == 0 ? go_version_in(finished->output, path) : "";
  if (version.empty()) {
    gate.reason = "'go version -m " + path + "' prints no version; is it a Go program?";
    return gate;
  }
  gate.found = version;
  gate.verdict = takes_profiles(version) ? GateVerdict::kPassed : GateVerdict::kFailed;
  if (gate.verdict == GateVerdict::kFailed)
    gate.reason = "this version of Go does not support profiles; build with a newer one";
  return gate;
}

}  // namespace pgo
