#include "tests/data/scripted_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>

namespace pgo::test {
namespace {

sockaddr_in loopback(int port) {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

// Of a free port; `port` becomes its number.
int bound_socket(int& port) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = loopback(0);
  socklen_t size = sizeof address;
  if (fd < 0 || ::bind(fd, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
      ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) != 0)
    std::abort();
  port = ntohs(address.sin_port);
  return fd;
}

}  // namespace

int closed_port() {
  int port = 0;
  ::close(bound_socket(port));
  return port;
}

ScriptedAnswer answer(int status, std::string_view body, std::string_view headers) {
  return {"HTTP/1.1 " + std::to_string(status) + " R\r\n" + std::string(headers) +
          "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body)};
}

std::string ScriptedRequest::target() const {
  const size_t begin = head.find(' ') + 1;
  return head.substr(begin, head.find(' ', begin) - begin);
}

std::string ScriptedRequest::header(std::string_view name) const {
  const std::string start = "\r\n" + std::string(name) + ": ";
  const size_t at = head.find(start);
  if (at == head.npos) return "";
  const size_t begin = at + start.size();
  return head.substr(begin, head.find("\r\n", begin) - begin);
}

class ScriptedServer::Connection {
 public:
  explicit Connection(int opened) : fd(opened) {}
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection() {
    if (tls) SSL_free(tls);
    ::close(fd);
  }

  bool shake_hands(SSL_CTX* context) {
    tls = SSL_new(context);
    return SSL_set_fd(tls, fd) == 1 && SSL_accept(tls) == 1;
  }
  long read(char* data, size_t size) {
    return tls ? SSL_read(tls, data, static_cast<int>(size)) : ::recv(fd, data, size, 0);
  }
  bool write(std::string_view text) {
    while (!text.empty()) {
      const long count = tls ? SSL_write(tls, text.data(), static_cast<int>(text.size()))
                             : ::send(fd, text.data(), text.size(), MSG_NOSIGNAL);
      if (count <= 0) return false;
      text.remove_prefix(static_cast<size_t>(count));
    }
    return true;
  }
  // Until `text` is read; false when the client is gone.
  bool read_until(size_t wanted) {
    char data[16384];
    while (unread.size() < wanted) {
      const long count = read(data, sizeof data);
      if (count <= 0) return false;
      unread.append(data, static_cast<size_t>(count));
    }
    return true;
  }
  // The client sees a reset connection instead of an end.
  void reset() {
    const linger at_once = {1, 0};
    ::setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  }

  int fd;
  SSL* tls = nullptr;
  std::string unread;
  std::thread thread;
};

ScriptedServer::ScriptedServer(std::vector<ScriptedAnswer> answers)
    : ScriptedServer(
          [answers = std::move(answers), next = size_t{0}](const ScriptedRequest&) mutable {
            return next < answers.size() ? answers[next++] : answer(404);
          }) {}

ScriptedServer::ScriptedServer(Handler handler) : handler_(std::move(handler)) { listen(); }

ScriptedServer::ScriptedServer(Handler handler, const ServerIdentity& identity)
    : handler_(std::move(handler)), tls_(SSL_CTX_new(TLS_server_method())) {
  if (SSL_CTX_use_certificate_chain_file(tls_, identity.certificate.c_str()) != 1 ||
      SSL_CTX_use_PrivateKey_file(tls_, identity.key.c_str(), SSL_FILETYPE_PEM) != 1)
    std::abort();
  if (!identity.authority.empty()) {
    if (SSL_CTX_load_verify_locations(tls_, identity.authority.c_str(), nullptr) != 1) std::abort();
    SSL_CTX_set_verify(tls_, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
  }
  listen();
}

void ScriptedServer::listen() {
  listener_ = bound_socket(port_);
  if (::listen(listener_, 128) != 0) std::abort();
  acceptor_ = std::thread([this] { accept_all(); });
}

ScriptedServer::~ScriptedServer() {
  is_ending_ = true;
  ::shutdown(listener_, SHUT_RDWR);
  acceptor_.join();
  for (Connection& connection : connections_) ::shutdown(connection.fd, SHUT_RDWR);
  for (Connection& connection : connections_) connection.thread.join();
  ::close(listener_);
  if (tls_) SSL_CTX_free(tls_);
}

void ScriptedServer::accept_all() {
  while (!is_ending_) {
    const int fd = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (fd < 0) continue;
    std::lock_guard lock(mutex_);
    Connection& connection = connections_.emplace_back(fd);
    connection.thread = std::thread([this, &connection] { serve(connection); });
  }
}

void ScriptedServer::serve(Connection& connection) {
  // OpenSSL writes to clients that are gone; without this, that would end the process.
  sigset_t broken_pipe;
  sigemptyset(&broken_pipe);
  sigaddset(&broken_pipe, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &broken_pipe, nullptr);
  if (!tls_ || connection.shake_hands(tls_))
    while (!is_ending_ && answer_one(connection)) {
    }
  if (connection.tls) SSL_shutdown(connection.tls);
  // The destructor of the server closes the descriptor, so that its number stays taken till then.
  ::shutdown(connection.fd, SHUT_RDWR);
}

bool ScriptedServer::answer_one(Connection& connection) {
  size_t end;
  while ((end = connection.unread.find("\r\n\r\n")) == std::string::npos) {
    if (!connection.read_until(connection.unread.size() + 1)) return false;
    if (connection.unread[0] < 'A') {  // a client that speaks TLS
      connection.write("HTTP/1.1 400 R\r\n\r\n");
      return false;
    }
  }
  ScriptedRequest request;
  request.head = connection.unread.substr(0, end + 4);
  const size_t length = std::strtoul(request.header("Content-Length").c_str(), nullptr, 10);
  if (!connection.read_until(end + 4 + length)) return false;
  request.body = connection.unread.substr(end + 4, length);
  connection.unread.erase(0, end + 4 + length);

  ScriptedAnswer answer;
  {
    std::lock_guard lock(mutex_);
    requests_.push_back(request);
    most_at_once_ = std::max(most_at_once_, ++at_once_);
    answer = handler_(request);
  }
  std::string_view left = answer.bytes;
  bool is_sent = true;
  while (is_sent && !left.empty() && !is_ending_) {
    if (answer.on_sent) answer.on_sent(answer.bytes.size() - left.size());
    const std::string_view piece = left.substr(0, answer.piece == 0 ? left.npos : answer.piece);
    // Before its last bytes arrive, so that the next request of the client comes later.
    if (piece.size() == left.size()) {
      std::lock_guard lock(mutex_);
      at_once_--;
    }
    is_sent = connection.write(piece);
    left.remove_prefix(piece.size());
  }
  if (!is_sent) return false;
  if (answer.on_sent) answer.on_sent(answer.bytes.size());
  switch (answer.then) {
    case Then::kKeep: return true;
    case Then::kClose: return false;
    case Then::kReset: {
      connection.reset();
      // A socket resets when it is closed; what takes its number until the server ends is idle.
      const int idle = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
      ::dup2(idle, connection.fd);
      ::close(idle);
      return false;
    }
    case Then::kStall: {
      char byte;
      while (connection.read(&byte, 1) > 0) {
      }
      return false;
    }
  }
  return false;
}

std::string ScriptedServer::url(std::string_view target) const {
  return (tls_ ? "https://" : "http://") + host() + std::string(target);
}

std::vector<ScriptedRequest> ScriptedServer::requests() const {
  std::lock_guard lock(mutex_);
  return requests_;
}

int ScriptedServer::most_at_once() const {
  std::lock_guard lock(mutex_);
  return most_at_once_;
}

int ScriptedServer::connections() const {
  std::lock_guard lock(mutex_);
  return static_cast<int>(connections_.size());
}

std::string ScriptedServer::without_port(std::string text) const {
  for (size_t at; (at = text.find(host())) != text.npos;) text.replace(at, host().size(), "HOST");
  return text;
}

}  // namespace pgo::test
