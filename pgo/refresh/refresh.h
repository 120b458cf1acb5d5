// refresh(): the weekly job for one service. One page of it:
//
//   1. Its turn: runs of one service wait for each other (run_workspace.h).
//   2. Profiles are fetched into a bundle; those of a window that moves may be the same as before.
//   3. Each build that has samples is looked for in the archives (found_builds.h).
//   4. Each part of the version that pgo.lock pins is looked for in its registry. What is lost is
//      pushed again from the cache; if the cache does not have it, the run makes a version that has
//      all, whatever comes below, and uses what is left of the pinned one.
//   5. A digest of profiles and builds (input_digest.h) is compared with that of the pinned
//      version. The same: there is nothing new, and nothing is touched.
//   6. The profiles are converted: all builds into one profile for the compiler; and one build of
//      the program, and of each library, into a BOLT profile of its own, which this build, as it
//      was before BOLT, accompanies (bolt_profile.h).
//   7. Compile profile and BOLT profile are a pair: a BOLT profile fits builds that were made with
//      the compile profile of the recorded build. So the pinned one stays while it fits.
//   8. The new compile profile may be blended with earlier ones (blend.h).
//   9. Gates (gates.h). One fails: nothing is pinned.
//  10. What differs from the pinned profile by no more than chance is not worth a pin.
//  11. The files become a version in the registry, and the version is pinned.
//
// Each step up to 10 changes only the workspace and the cache, and what the registry has lost, and
// follows from its inputs, so a run that was killed is simply run again: what was fetched is in the
// cache, and a version that was pushed has the same digest. There is no file of state.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "pgo/archive/build_archive.h"
#include "pgo/base/diagnostics.h"
#include "pgo/config/service_config.h"
#include "pgo/convert/convert.h"
#include "pgo/fetch/fetch.h"
#include "pgo/refresh/bolt_profile.h"
#include "pgo/refresh/found_builds.h"
#include "pgo/refresh/gates.h"
#include "pgo/registry/lock_file.h"
#include "pgo/signature/minisign.h"
#include "pgo/versions/registry_opener.h"

namespace pgo {

enum class RefreshMode : uint8_t { kPin, kDryRun };

struct RefreshResult;

struct RefreshRequest {
  ServiceConfig service;                // its paths count from the current directory
  std::vector<Source*> sources;         // those that it names; outlive the call
  std::vector<BuildArchive*> archives;  // likewise
  RegistryReference registry;           // without tag and digest
  std::string lock;                     // path of the lock file
  OpenRegistry open;
  const minisign::SecretKey* signer = nullptr;  // null: the version is not signed
  FetchLimits limits;
  std::optional<TimeWindow> window;
  std::string cache;  // its directory
  std::string tool_version;
  // The text of the report of a conversion, which becomes a file of the version.
  std::function<std::string(const ConvertResult&)> conversion_report;
  // Called with all that will be known of the pin, before it is made; may put the words of options
  // into its texts. An error ends the run.
  std::function<Result<void>(RefreshResult&)> before_pin;
  RefreshMode mode = RefreshMode::kPin;
  std::string perf2bolt;  // the program; empty: looked for
  unsigned jobs = 0;      // threads; 0: all cores
  ProgressFn progress;
};

enum class RefreshOutcome : uint8_t {
  kPinned,
  kWouldPin,     // but for the dry run
  kNothingNew,   // inputs and builds are those of the pinned version
  kTakenBack,    // they are those of the version that was pinned before, and is not any more
  kPushedAgain,  // what the registry had lost of the pinned version was pushed again
  kUnchanged,    // the new profile differs from the pinned one by no more than chance
  kRefused,      // a gate failed
};

// Which compile profile a version has.
enum class CompileProfileChoice : uint8_t { kNew, kKept };

struct RefreshResult {
  std::string name, lock;
  RefreshOutcome outcome = RefreshOutcome::kNothingNew;
  FetchResult fetched;
  FoundBuilds builds;
  std::string inputs;  // digest
  std::vector<GateResult> gates;
  GateFigures figures;
  CompileProfileChoice compile_profile = CompileProfileChoice::kNew;
  std::string choice_reason;      // why the compile profile was kept, or was not; may be empty
  std::vector<BoltProfile> bolt;  // that the version has, or would have; without conversions
  std::vector<MissingBoltProfile> missing_bolt;  // likewise
  uint64_t blended = 0;                          // how many earlier profiles were added
  double unchanged_above = 0;  // of kUnchanged: the overlap that was reached, 0 to 1
  std::optional<LockEntry> before, after;
  std::string reference;  // of the version, with its tag
  std::string digest;     // of its manifest; of kTakenBack that of the earlier one
  Diagnostics diagnostics;
};

// Errors: kUsage without a signer where the lock file requires a signature; those of
// check_service(), fetch(), find_builds(), convert(), merge(), push() and pin().
Result<RefreshResult> refresh(const RefreshRequest& request);

}  // namespace pgo
