// Reads a profile of stacks of any kind: pprof, gperftools' CPU profiles, folded stacks, each plain
// or compressed.
#pragma once

#include <optional>
#include <string>

#include "pgo/base/bytes.h"
#include "pgo/base/diagnostics.h"
#include "pgo/base/inflate.h"
#include "pgo/base/result.h"
#include "pgo/profile/stack_profile.h"

namespace pgo {

enum class StackFormat { kPprof, kGperftools, kFolded };

// By what the inflated bytes are; nothing when they are none of these.
std::optional<StackFormat> find_stack_format(Bytes inflated);

// "pprof profile".
const char* name_of(StackFormat format);

// Is a file, compressed or not, a profile of stacks? Folded stacks are a lenient format: asked
// last.
bool is_stack_profile(Bytes file);

// Nothing when it is none. `path` is for messages. Errors (kInput): damaged, or cut short.
Result<std::optional<StackProfile>> try_stack_profile(Bytes file, const std::string& path,
                                                      Diagnostics& diagnostics);

// The same, but kUnsupported when it is none.
Result<StackProfile> read_stack_profile(Bytes file, const std::string& path,
                                        Diagnostics& diagnostics);

}  // namespace pgo
