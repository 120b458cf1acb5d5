#include "service/request_log.h"

#include <cerrno>
#include <system_error>

namespace queryd {
namespace {

class FileLog final : public RequestLog {
 public:
  FileLog(std::FILE* file, std::string_view path) : file_(file), path_(path) {}

  bool next(std::string& request) override {
    do {
      if (!read_line(request)) return false;
    } while (request.empty() || request.starts_with("--"));
    return true;
  }

 private:
  bool read_line(std::string& line) {
    line.clear();
    for (int c = std::getc(file_); c != '\n'; c = std::getc(file_)) {
      if (c == EOF) {
        if (std::ferror(file_)) throw std::system_error(errno, std::generic_category(), path_);
        return !line.empty();
      }
      line += static_cast<char>(c);
    }
    return true;
  }

  std::FILE* file_;
  std::string path_;
};

}  // namespace

std::unique_ptr<RequestLog> read_requests(std::FILE* file, std::string_view path) {
  return std::make_unique<FileLog>(file, path);
}

}  // namespace queryd
