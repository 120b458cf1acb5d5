#include "pgo/cli/arguments/signature_keys.h"

#include <fcntl.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "pgo/base/mapped_file.h"
#include "pgo/base/unique_fd.h"

namespace pgo {
namespace {

constexpr const char* kPasswordVariable = "PRODPGO_SIGN_PASSWORD";
constexpr size_t kMaxPassword = 1024;
constexpr uint64_t kMaxKeyFile = uint64_t{64} << 10;

// A terminal that does not show what is typed, as long as this lives. Ctrl-C is a character of the
// password meanwhile, since a signal would leave the terminal so.
class SilentTerminal {
 public:
  explicit SilentTerminal(int terminal) : terminal_(terminal) {
    is_set_ = ::tcgetattr(terminal_, &before_) == 0;
    if (!is_set_) return;
    termios silent = before_;
    silent.c_lflag &= ~static_cast<tcflag_t>(ECHO | ISIG);
    is_set_ = ::tcsetattr(terminal_, TCSAFLUSH, &silent) == 0;
  }
  SilentTerminal(const SilentTerminal&) = delete;
  SilentTerminal& operator=(const SilentTerminal&) = delete;
  ~SilentTerminal() {
    if (is_set_) ::tcsetattr(terminal_, TCSAFLUSH, &before_);
  }

  bool is_set() const { return is_set_; }

 private:
  int terminal_;
  bool is_set_ = false;
  termios before_{};
};

Result<std::string> read_password(int terminal) {
  std::string password;
  char next = 0;
  while (password.size() < kMaxPassword) {
    const ssize_t count = ::read(terminal, &next, 1);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return io_failure("/dev/tty", "cannot read the password");
    if (count == 0 || next == '\n') break;
    password += next;
  }
  return password;
}

Result<std::string> ask_password(const std::string& path) {
  if (const char* password = std::getenv(kPasswordVariable)) return std::string(password);
  const UniqueFd terminal(::open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC));
  if (terminal.fd < 0)
    return fail(ErrorKind::kUsage,
                path + ": is encrypted, and there is no terminal to ask for its password",
                std::string("set $") + kPasswordVariable);
  const SilentTerminal silent(terminal.fd);
  if (!silent.is_set()) return io_failure("/dev/tty", "cannot ask for the password");
  PGO_CHECK(write_all(terminal.fd, "Password of " + path + ": ", "/dev/tty"));
  PGO_TRY(std::string password, read_password(terminal.fd));
  PGO_CHECK(write_all(terminal.fd, "\n", "/dev/tty"));
  return password;
}

Result<MappedFile> open_key(const std::string& path) {
  return MappedFile::open(path, {.limit = kMaxKeyFile});
}

}  // namespace

Result<minisign::PublicKey> public_key_argument(const std::string& argument) {
  if (Result<minisign::PublicKey> key = minisign::parse_public_key(argument, argument)) return key;
  PGO_TRY(const MappedFile file, open_key(argument));
  return minisign::parse_public_key(as_text(file.bytes()), argument);
}

Result<minisign::SecretKey> secret_key_argument(const std::string& path) {
  PGO_TRY(const MappedFile file, open_key(path));
  return minisign::parse_secret_key(as_text(file.bytes()), path,
                                    [&] { return ask_password(path); });
}

}  // namespace pgo
