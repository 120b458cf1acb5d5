// Certificates for tests with TLS: an authority of the test's own, and what it signs.
#pragma once

#include <string>

#include "tests/data/scripted_server.h"

namespace pgo::test {

struct TlsFiles {
  std::string authority;  // PEM: its certificate
  ServerIdentity server;  // for 127.0.0.1
  ServerIdentity client;
};

// Writes the files into `directory`. Keys are new each time.
TlsFiles make_tls_files(const std::string& directory);

}  // namespace pgo::test
