#include "pgo/refresh/service_check.h"

#include <set>
#include <string>
#include <utility>

#include "pgo/registry/lock_file.h"

namespace pgo {
namespace {

FileKind kind_of(ServiceOutput output) {
  switch (output) {
    case ServiceOutput::kGcc:
    case ServiceOutput::kGcc13: return FileKind::kGcc;
    case ServiceOutput::kBolt: return FileKind::kBolt;
    case ServiceOutput::kGo: return FileKind::kGo;
    default: return FileKind::kLlvm;
  }
}

Failure mistake_in(const ServiceConfig& service, const std::string& what, std::string advice) {
  return fail(ErrorKind::kUsage, service.place + ": service." + service.name + ": " + what,
              std::move(advice));
}

// A gate that no run can check is a mistake.
Result<void> check_gates_of(const ServiceConfig& service, const std::set<FileKind>& kinds) {
  const ServiceGates& gates = service.gates;
  if (!kinds.contains(FileKind::kLlvm) && !kinds.contains(FileKind::kGcc))
    for (const auto& [limit, name] :
         {std::pair(gates.density, "min-density"), std::pair(gates.overlap, "min-overlap"),
          std::pair(gates.max_overlap, "max-overlap")})
      if (limit)
        return mistake_in(service,
                          "the gate " + std::string(name) +
                              " needs a profile for clang or GCC, and outputs names none",
                          "leave it out; min-samples limits all profiles");
  if (!gates.match) return ok();
  if (!kinds.contains(FileKind::kLlvm))
    return mistake_in(service, "the gate min-match is for LLVM profiles", "leave it out");
  if (service.current_builds.empty())
    return mistake_in(service, "the gate min-match needs current-build, which is not set",
                      "name the program as it is built now, with its libraries");
  return ok();
}

}  // namespace

Result<void> check_service(const ServiceConfig& service) {
  auto wrong = [&](const std::string& what, std::string advice = {}) {
    return mistake_in(service, what, std::move(advice));
  };
  if (!is_profile_name(service.name))
    return fail(
        ErrorKind::kUsage,
        service.place + ": '" + service.name +
            "' is not a valid service name: at most 128 letters, digits, '_', '.', '-' and '+'");
  std::set<FileKind> kinds;
  for (const ServiceOutput output : service.outputs)
    if (!kinds.insert(kind_of(output)).second)
      return wrong("two outputs are for the same compiler", "choose one form");
  const bool needs_binaries = kinds != std::set{FileKind::kGo};
  if (needs_binaries && service.binaries.empty())
    return wrong("has no binaries, which all outputs but 'go' need",
                 "add binaries = 'dir:/srv/builds', say, where 'pgo archive' keeps releases");
  PGO_CHECK(check_gates_of(service, kinds));
  if (service.blend_previous == 0) return ok();
  if (!kinds.contains(FileKind::kLlvm))
    return wrong("blend-previous is for LLVM profiles", "leave it out");
  if (kinds.contains(FileKind::kBolt) && service.compile_profile == CompileProfilePolicy::kKeep)
    return wrong(
        "blend-previous makes a new compile profile each time, and compile-profile keeps one",
        "write compile-profile = 'renew', or leave blend-previous out");
  return ok();
}

}  // namespace pgo
