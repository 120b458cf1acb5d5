// ScriptedServer: an HTTP server on loopback that answers with the bytes that a test gives it, also
// with wrong ones: cut, stalled, reset. It keeps the requests. Its threads end with it.
//
//   ScriptedServer server({answer(503), answer(200, "profile")});     in the order of requests
//   client.send({.url = server.url("/a")});
//   server.requests()[0].head          "GET /a HTTP/1.1\r\nHost: ...\r\n\r\n"
#pragma once

#include <atomic>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

struct ssl_ctx_st;

namespace pgo::test {

// What happens on the connection after the bytes.
enum class Then { kKeep, kClose, kReset, kStall };

struct ScriptedAnswer {
  std::string bytes;  // head and body
  Then then = Then::kKeep;
  size_t piece = 0;  // sent at a time; 0: all
  // Called by the thread of the connection before each piece and at the end, with the number of
  // bytes that were sent. May wait.
  std::function<void(size_t sent)> on_sent = {};
};

// "HTTP/1.1 STATUS R", headers ("Name: value\r\n" each), and the body with its length.
ScriptedAnswer answer(int status, std::string_view body = {}, std::string_view headers = {});

struct ScriptedRequest {
  std::string head, body;
  // Of the first line: "/a?b=c".
  std::string target() const;
  // Empty when there is no such header; upper and lower case differ.
  std::string header(std::string_view name) const;
};

// PEM files of a server's identity: its certificate and its key. `authority`, if given: what a
// client certificate must be signed by.
struct ServerIdentity {
  std::string certificate, key, authority = {};
};

class ScriptedServer {
 public:
  using Handler = std::function<ScriptedAnswer(const ScriptedRequest&)>;

  // Further requests get 404.
  explicit ScriptedServer(std::vector<ScriptedAnswer> answers);
  // Called from several threads, but never at once.
  explicit ScriptedServer(Handler handler);
  // With TLS.
  ScriptedServer(Handler handler, const ServerIdentity& identity);
  ScriptedServer(const ScriptedServer&) = delete;
  ScriptedServer& operator=(const ScriptedServer&) = delete;
  ~ScriptedServer();

  int port() const { return port_; }
  std::string host() const { return "127.0.0.1:" + std::to_string(port_); }
  std::string url(std::string_view target = "/") const;
  std::vector<ScriptedRequest> requests() const;
  // The most requests that were answered at once, and how many connections there were.
  int most_at_once() const;
  int connections() const;
  // `text` with HOST in place of host().
  std::string without_port(std::string text) const;

 private:
  class Connection;

  void listen();
  void accept_all();
  void serve(Connection& connection);
  bool answer_one(Connection& connection);

  Handler handler_;
  ssl_ctx_st* tls_ = nullptr;
  int listener_ = -1, port_ = 0;
  std::atomic<bool> is_ending_ = false;
  mutable std::mutex mutex_;  // of what follows
  std::vector<ScriptedRequest> requests_;
  std::list<Connection> connections_;
  int at_once_ = 0, most_at_once_ = 0;
  std::thread acceptor_;
};

// A port on loopback where nothing listens.
int closed_port();

}  // namespace pgo::test
