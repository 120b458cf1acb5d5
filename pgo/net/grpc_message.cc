#include "pgo/net/grpc_message.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "pgo/net/percent_encoding.h"

namespace pgo::net {
namespace {

constexpr size_t kFrameHeader = 5;
constexpr uint8_t kCompressed = 1, kTrailers = 0x80;
constexpr std::string_view kStatus = "grpc-status", kMessage = "grpc-message";

struct Trailers {
  std::optional<int> status;
  std::string message;  // percent-encoded
};

std::optional<int> number_of(std::string_view text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::string_view without_spaces(std::string_view text) {
  const size_t begin = std::min(text.find_first_not_of(" \t\r"), text.size());
  return text.substr(begin, text.find_last_not_of(" \t\r") + 1 - begin);
}

std::string lower_case(std::string_view text) {
  std::string lowered(text);
  for (char& letter : lowered)
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter + 32);
  return lowered;
}

Trailers trailers_of_headers(const HttpResponse& response) {
  return {number_of(response.header(kStatus)), response.header(kMessage)};
}

Trailers parse_trailers(std::string_view text) {
  Trailers trailers;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const size_t colon = line.find(':');
    if (colon == line.npos) continue;
    const std::string name = lower_case(without_spaces(line.substr(0, colon)));
    const std::string_view value = without_spaces(line.substr(colon + 1));
    if (name == kStatus) trailers.status = number_of(value);
    if (name == kMessage) trailers.message = value;
  }
  return trailers;
}

// One frame; it views the bytes that it was taken from.
struct Frame {
  uint8_t flags = 0;
  std::string_view contents;
};

// Takes the first frame off `left`; nothing when it is cut.
std::optional<Frame> take_frame(std::string_view& left) {
  if (left.size() < kFrameHeader) return std::nullopt;
  const auto flags = static_cast<uint8_t>(left[0]);
  size_t size = 0;
  for (size_t i = 1; i < kFrameHeader; i++) size = size << 8 | static_cast<uint8_t>(left[i]);
  if (size > left.size() - kFrameHeader) return std::nullopt;
  const Frame frame{flags, left.substr(kFrameHeader, size)};
  left.remove_prefix(kFrameHeader + size);
  return frame;
}

// The status that headers or a frame of trailers tell; nothing when it is not in what is there.
std::optional<int> status_of(const HttpResponse& response) {
  std::optional<int> status = trailers_of_headers(response).status;
  std::string_view left = response.body;
  while (const std::optional<Frame> frame = take_frame(left))
    if (frame->flags & kTrailers) status = parse_trailers(frame->contents).status;
  return status;
}

Failure no_grpc(const std::string& shown, const std::string& why) {
  return fail(ErrorKind::kInput, shown + ": the server did not answer as gRPC does: " + why,
              "check the URL, and what is between this machine and the server");
}

std::string frame(std::string_view message) {
  const auto size = static_cast<uint32_t>(message.size());
  std::string bytes(1, '\0');
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(size >> shift & 0xff);
  return bytes.append(message);
}

}  // namespace

HttpRequest grpc_request(GrpcForm form, std::string url,
                         std::vector<std::pair<std::string, std::string>> headers,
                         std::string_view message) {
  const bool is_web = form == GrpcForm::kWeb;
  HttpRequest request = {.method = "POST", .url = std::move(url), .headers = std::move(headers)};
  request.headers.emplace_back("Content-Type",
                               is_web ? "application/grpc-web+proto" : "application/grpc");
  request.headers.emplace_back(is_web ? "X-Grpc-Web" : "TE", is_web ? "1" : "trailers");
  request.is_unavailable = [](const HttpResponse& response) {
    return status_of(response) == kGrpcUnavailable;
  };
  request.protocol = is_web ? HttpProtocol::kHttp11 : HttpProtocol::kHttp2;
  request.body = frame(message);
  return request;
}

Result<GrpcAnswer> read_grpc_answer(const HttpResponse& response, const std::string& shown) {
  if (response.status != 200) return fail(status_error(shown, response));
  if (response.is_html()) return fail(page_error(shown));
  const std::string& type = response.header("content-type");
  if (!type.starts_with("application/grpc"))
    return no_grpc(shown, type.empty() ? "no content type" : "another content type");
  if (type.starts_with("application/grpc-web-text"))
    return no_grpc(shown, "base64 was not asked for");

  Trailers trailers = trailers_of_headers(response);
  std::optional<std::string_view> message;
  for (std::string_view left = response.body; !left.empty();) {
    const std::optional<Frame> frame = take_frame(left);
    if (!frame) return no_grpc(shown, "a frame is cut");
    if (frame->flags & kCompressed)
      return fail(ErrorKind::kUnsupported,
                  shown + ": the server compressed a message, which was not asked for");
    if (frame->flags & kTrailers)
      trailers = parse_trailers(frame->contents);
    else if (message)
      return no_grpc(shown, "several messages");
    else
      message = frame->contents;
  }
  if (!trailers.status) return no_grpc(shown, "no grpc-status, so the answer may be cut");
  if (*trailers.status != kGrpcOk)
    return GrpcAnswer{*trailers.status, percent_decode(trailers.message), {}};
  if (!message) return no_grpc(shown, "no message");
  return GrpcAnswer{kGrpcOk, {}, std::string(*message)};
}

std::string grpc_status_name(int status) {
  constexpr std::array<const char*, 17> kNames = {"OK",
                                                  "CANCELLED",
                                                  "UNKNOWN",
                                                  "INVALID_ARGUMENT",
                                                  "DEADLINE_EXCEEDED",
                                                  "NOT_FOUND",
                                                  "ALREADY_EXISTS",
                                                  "PERMISSION_DENIED",
                                                  "RESOURCE_EXHAUSTED",
                                                  "FAILED_PRECONDITION",
                                                  "ABORTED",
                                                  "OUT_OF_RANGE",
                                                  "UNIMPLEMENTED",
                                                  "INTERNAL",
                                                  "UNAVAILABLE",
                                                  "DATA_LOSS",
                                                  "UNAUTHENTICATED"};
  const auto index = static_cast<size_t>(status);
  return status >= 0 && index < kNames.size() ? kNames[index] : "status " + std::to_string(status);
}

Error grpc_error(const std::string& shown, const GrpcAnswer& answer) {
  std::string message = shown + ": the server answered " + grpc_status_name(answer.status);
  const std::string said = first_line(answer.error);
  if (!said.empty()) message += ": " + said;
  const auto advice = [&]() -> std::string {
    switch (answer.status) {
      case kGrpcUnauthenticated: return "check the credentials: they are missing, wrong or expired";
      case kGrpcPermissionDenied: return "check that these credentials may do this";
      case kGrpcUnimplemented: return "check the path of the URL, and the version of the server";
      case kGrpcDeadlineExceeded:
      case kGrpcUnavailable: return "try again later";
      default: return "";
    }
  }();
  return {ErrorKind::kIo, std::move(message), advice};
}

}  // namespace pgo::net
