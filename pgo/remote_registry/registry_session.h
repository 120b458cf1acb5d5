// RegistrySession: requests to one repository of an OCI registry, with whatever it asks for before
// it answers: nothing, user and password, or a token of a token server.
//
//   RegistrySession session("registry.example:5000", "team/server", options);
//   PGO_TRY(net::HttpResponse answer, session.send({.method = "HEAD", .url =
//   session.url("/blobs/…")}));
//
// Credentials come from docker's configuration, else from netrc. They go to the registry and to the
// token server that it names, by https only, or where plain http is wanted anyway. Only the
// registry gets the client certificate.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "pgo/base/result.h"
#include "pgo/net/http_client.h"
#include "pgo/net/http_url.h"
#include "pgo/registry/registry.h"
#include "pgo/remote_registry/auth_challenge.h"
#include "pgo/remote_registry/docker_credentials.h"

namespace pgo {

struct RemoteRegistryOptions {
  net::HttpOptions http = {};
  // http instead of https. This machine's own registries are always asked by http.
  bool plain_http = false;
  std::string docker_config = docker_config_path();  // empty, or no such file: none
  // Blobs of more bytes are sent in parts of this size, of which the last one alone is sent again
  // when the connection breaks.
  size_t upload_part = size_t{16} << 20;
};

class RegistrySession {
 public:
  RegistrySession(const std::string& host, const std::string& repository,
                  RemoteRegistryOptions options);

  // "https://registry.example/v2/team/server" and `path`.
  std::string url(std::string_view path) const { return base_ + std::string(path); }
  // "oci://registry.example/team/server", for messages.
  const std::string& name() const { return name_; }
  const RemoteRegistryOptions& options() const { return options_; }

  // The answer of any status but 401 for want of credentials. Redirects are answers. Errors: kIo
  // when nothing answers, or the registry refuses the credentials; those of find_credentials().
  Result<net::HttpResponse> send(net::HttpRequest request);
  // Sends a GET; the body of a success goes to `sink`. Where the registry leads to a store, from
  // there, without credentials.
  Result<net::HttpResponse> fetch(const std::string& url, uint64_t max_bytes, BlobSink& sink);

  // What an answer that is no success is refused with, by what the registry says in it. `what` is
  // for messages: "manifest v1".
  Failure refusal(const net::HttpResponse& answer, std::string_view what) const;

 private:
  Result<net::HttpResponse> send_once(net::HttpClient& client, net::HttpRequest request,
                                      uint64_t max_bytes, BlobSink* sink);
  Result<net::HttpResponse> send_with_sink(net::HttpRequest request, uint64_t max_bytes,
                                           BlobSink* sink);
  // Makes authorization_ what `answer`, a 401, asks for. False when there is nothing to offer.
  Result<bool> authorize(const net::HttpResponse& answer);
  Result<std::string> ask_for_token(const AuthChallenge& challenge);
  Result<void> find_own_credentials();
  net::HttpClient& client() { return netrc_client_ ? *netrc_client_ : client_; }
  // After a 401: where the credentials are that it refused, or may be.
  std::string login_advice() const;

  std::string host_, name_, base_;
  RemoteRegistryOptions options_;
  net::HttpClient client_;                       // knows no netrc
  net::HttpClient store_client_;                 // nor the client certificate
  std::optional<net::HttpClient> netrc_client_;  // set where docker's configuration has nothing
  bool has_looked_ = false;
  std::optional<RegistryCredentials> credentials_;
  std::string authorization_;  // of the header; empty: none yet
};

}  // namespace pgo
