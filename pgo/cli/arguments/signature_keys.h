// The keys that signatures are made and verified with, as arguments.
#pragma once

#include <string>

#include "pgo/base/result.h"
#include "pgo/signature/minisign.h"

namespace pgo {

// A key itself ("RWQ..."), or the path of its file. Errors: kIo, kInput.
Result<minisign::PublicKey> public_key_argument(const std::string& argument);

// The path of a file of `minisign -G`. The password of an encrypted one is $PRODPGO_SIGN_PASSWORD,
// or else asked on the terminal. Errors: kIo; kInput; kUsage where there is no terminal.
Result<minisign::SecretKey> secret_key_argument(const std::string& path);

}  // namespace pgo
