// Sends a blob to a registry: in one request, or in parts, which go on where they were when the
// connection breaks. Not every registry can go on (docker-registry 2.8 forgets what broke off):
// there the upload begins again.
#pragma once

#include <string>

#include "pgo/base/bytes.h"
#include "pgo/base/result.h"
#include "pgo/remote_registry/registry_session.h"

namespace pgo {

// `bytes` have this digest. Errors: those of RegistrySession::send(); kIo for an answer that is not
// what the specification asks for.
Result<void> upload_blob(RegistrySession& session, const std::string& digest, Bytes bytes);

}  // namespace pgo
