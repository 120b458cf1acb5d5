#include "pgo/net/http.h"

#include <algorithm>

namespace pgo::net {
namespace {

// RFC 9110, section 15, and RFC 6585; empty for others.
const char* reason_of(int status) {
  switch (status) {
    case 301: return "Moved Permanently";
    case 302: return "Found";
    case 304: return "Not Modified";
    case 307: return "Temporary Redirect";
    case 308: return "Permanent Redirect";
    case 400: return "Bad Request";
    case 401: return "Unauthorized";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 407: return "Proxy Authentication Required";
    case 408: return "Request Timeout";
    case 410: return "Gone";
    case 412: return "Precondition Failed";
    case 413: return "Content Too Large";
    case 416: return "Range Not Satisfiable";
    case 429: return "Too Many Requests";
    case 500: return "Internal Server Error";
    case 501: return "Not Implemented";
    case 502: return "Bad Gateway";
    case 503: return "Service Unavailable";
    case 504: return "Gateway Timeout";
    default: return "";
  }
}

const char* advice_of(int status) {
  switch (status) {
    case 401: return "check the credentials: they are missing, wrong or expired";
    case 403: return "check that these credentials may read this";
    case 404: return "check the path of the URL";
    case 405:
    case 501: return "check the URL: its server does not know such requests";
    case 407: return "check the credentials of the proxy";
    case 429: return "send fewer requests at once, or try again later";
    default: return status >= 500 ? "try again later" : "";
  }
}

}  // namespace

const std::string& HttpResponse::header(std::string_view lower_case_name) const {
  static const std::string kNone;
  auto found = headers.find(lower_case_name);
  return found == headers.end() ? kNone : found->second;
}

bool HttpResponse::is_html() const {
  const std::string& type = header("content-type");
  return type.starts_with("text/html") || type.starts_with("application/xhtml");
}

std::string first_line(std::string_view text) {
  const size_t begin = std::min(text.find_first_not_of(" \t\r\n"), text.size());
  text = text.substr(begin, text.find_first_of("\r\n", begin) - begin);
  std::string line(text.substr(0, 200));
  for (char& letter : line)
    if (letter < ' ' || letter > '~') letter = '?';
  return line;
}

Error status_error(const std::string& shown, const HttpResponse& response,
                   std::string_view detail) {
  const std::string reason = reason_of(response.status);
  std::string message = shown + ": the server answered " + std::to_string(response.status);
  if (!reason.empty()) message += " (" + reason + ")";
  if (response.tries > 1) message += " to each of " + std::to_string(response.tries) + " tries";
  const std::string said = first_line(detail);
  if (!said.empty()) message += ": " + said;
  return {ErrorKind::kIo, std::move(message), advice_of(response.status)};
}

Error page_error(const std::string& shown) {
  return {ErrorKind::kInput,
          shown + ": the server answered with an HTML page, such as a login page",
          "check the URL and the credentials"};
}

}  // namespace pgo::net
