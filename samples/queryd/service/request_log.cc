#include "service/request_log.h"

namespace queryd {
namespace {

class FileLog final : public RequestLog {
 public:
  explicit FileLog(std::FILE* file) : file_(file) {}

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
      if (c == EOF) return !line.empty();
      line += static_cast<char>(c);
    }
    return true;
  }

  std::FILE* file_;
};

}  // namespace

std::unique_ptr<RequestLog> read_requests(std::FILE* file) {
  return std::make_unique<FileLog>(file);
}

}  // namespace queryd
