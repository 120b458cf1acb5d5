// Messages of unary gRPC calls, as HTTP bodies: gRPC-Web over HTTP/1.1, and gRPC itself over HTTP/2
// (https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md, PROTOCOL-WEB.md).
//
//   frame     one byte of flags (1: compressed; 0x80, gRPC-Web only: the trailers), four bytes of
//             length (big-endian), and the message
//   trailers  "grpc-status: 5\r\ngrpc-message: not%20found\r\n", as a last frame or as HTTP's own;
//             an answer without a message may have both among its headers
//
//   PGO_TRY(HttpResponse response, client.send(grpc_request(form, url, headers, message)));
//   PGO_TRY(GrpcAnswer answer, read_grpc_answer(response, shown));
//   if (answer.status != kGrpcOk) ...
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pgo/base/result.h"
#include "pgo/net/http.h"

namespace pgo::net {

enum class GrpcForm : uint8_t { kWeb, kHttp2 };

// Statuses of gRPC that callers tell apart.
inline constexpr int kGrpcOk = 0, kGrpcInvalidArgument = 3, kGrpcDeadlineExceeded = 4,
                     kGrpcNotFound = 5, kGrpcPermissionDenied = 7, kGrpcResourceExhausted = 8,
                     kGrpcUnimplemented = 12, kGrpcUnavailable = 14, kGrpcUnauthenticated = 16;

struct GrpcAnswer {
  int status = kGrpcOk;
  std::string error;    // what the server says to a status that is not kGrpcOk
  std::string message;  // of kGrpcOk
};

// Is sent again while the server answers UNAVAILABLE, in its headers or its trailers.
HttpRequest grpc_request(GrpcForm form, std::string url,
                         std::vector<std::pair<std::string, std::string>> headers,
                         std::string_view message);

// `shown` is for messages. Errors: kIo for a status of HTTP that is no success; kInput for what is
// no such answer: another content type, a frame that is cut, no status, or none or several messages
// with kGrpcOk; kUnsupported for a compressed message.
Result<GrpcAnswer> read_grpc_answer(const HttpResponse& response, const std::string& shown);

// "NOT_FOUND"; "status 99" for one that gRPC does not have.
std::string grpc_status_name(int status);
// The error of an answer that is not kGrpcOk: "SHOWN: the server answered NOT_FOUND: ...".
Error grpc_error(const std::string& shown, const GrpcAnswer& answer);

}  // namespace pgo::net
