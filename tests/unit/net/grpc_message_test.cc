#include "pgo/net/grpc_message.h"

#include <gtest/gtest.h>

#include "pgo/net/http_client.h"
#include "tests/data/scripted_server.h"

namespace pgo::grpc_message_test {
namespace {

using net::GrpcAnswer;
using net::HttpResponse;

std::string frame(char flags, const std::string& contents) {
  std::string bytes(1, flags);
  for (int shift = 24; shift >= 0; shift -= 8)
    bytes += static_cast<char>(contents.size() >> shift & 0xff);
  return bytes + contents;
}

const std::string kTrailers = frame('\x80', "grpc-status: 0\r\n");

HttpResponse response(std::string body, int status = 200) {
  HttpResponse made;
  made.status = status;
  made.headers = {{"content-type", "application/grpc-web+proto"}};
  made.body = std::move(body);
  return made;
}

// The message; or the error, or what the server says.
std::string read(const HttpResponse& answered) {
  const Result<GrpcAnswer> answer = net::read_grpc_answer(answered, "parca");
  if (!answer) return answer.error().message;
  if (answer->status == net::kGrpcOk) return "message " + answer->message;
  return net::grpc_error("parca", *answer).message;
}

TEST(GrpcMessage, IsAFrameWithItsLength) {
  const net::HttpRequest web =
      net::grpc_request(net::GrpcForm::kWeb, "http://a/b", {{"projectID", "7"}}, "abc");
  EXPECT_EQ(web.body, std::string("\0\0\0\0\3abc", 8));
  EXPECT_EQ(web.protocol, net::HttpProtocol::kHttp11);
  using Header = std::pair<std::string, std::string>;
  EXPECT_EQ(web.headers, (std::vector<Header>{{"projectID", "7"},
                                              {"Content-Type", "application/grpc-web+proto"},
                                              {"X-Grpc-Web", "1"}}));
  const net::HttpRequest plain = net::grpc_request(net::GrpcForm::kHttp2, "http://a/b", {}, "");
  EXPECT_EQ(plain.body, std::string(5, '\0'));
  EXPECT_EQ(plain.protocol, net::HttpProtocol::kHttp2);
  EXPECT_EQ(plain.headers,
            (std::vector<Header>{{"Content-Type", "application/grpc"}, {"TE", "trailers"}}));
}

TEST(GrpcMessage, IsReadWithItsTrailers) {
  EXPECT_EQ(read(response(frame(0, "abc") + kTrailers)), "message abc");
  EXPECT_EQ(read(response(frame(0, "") + kTrailers)), "message ");
  EXPECT_EQ(read(response(frame(0, "abc") + frame('\x80', "Grpc-Message: \nGRPC-STATUS:0"))),
            "message abc");
  // HTTP's own.
  HttpResponse own = response(frame(0, "abc"));
  own.headers["grpc-status"] = "0";
  own.headers["content-type"] = "application/grpc";
  EXPECT_EQ(read(own), "message abc");
}

TEST(GrpcMessage, HasErrorsInHeadersAndInTrailers) {
  HttpResponse refused = response("");
  refused.headers["grpc-status"] = "5";
  refused.headers["grpc-message"] = "no%20such%0Aprofile";
  EXPECT_EQ(read(refused), "parca: the server answered NOT_FOUND: no such");
  EXPECT_EQ(read(response(frame('\x80', "grpc-status: 16\r\n"))),
            "parca: the server answered UNAUTHENTICATED");
  EXPECT_EQ(read(response(frame(0, "abc") + frame('\x80', "grpc-status: 99\r\n"))),
            "parca: the server answered status 99");
  EXPECT_EQ(net::grpc_error("parca", {net::kGrpcUnavailable, "", ""}).advice, "try again later");
}

TEST(GrpcMessage, IsNoOtherAnswer) {
  const std::string start = "parca: the server did not answer as gRPC does: ";
  EXPECT_EQ(read(response(frame(0, "abc"))), start + "no grpc-status, so the answer may be cut");
  EXPECT_EQ(read(response(kTrailers)), start + "no message");
  EXPECT_EQ(read(response("")), start + "no grpc-status, so the answer may be cut");
  EXPECT_EQ(read(response(frame(0, "a") + frame(0, "b") + kTrailers)), start + "several messages");
  const std::string whole = frame(0, "abc") + kTrailers;
  for (size_t size = 1; size < whole.size(); size++)
    EXPECT_TRUE(read(response(whole.substr(0, size))).starts_with(start)) << size;
  EXPECT_EQ(read(response(std::string("\0\xff\xff\xff\xff", 5) + "abc")), start + "a frame is cut");
  EXPECT_EQ(read(response(frame(1, "abc") + kTrailers)),
            "parca: the server compressed a message, which was not asked for");
  HttpResponse other = response(whole);
  other.headers["content-type"] = "text/plain";
  EXPECT_EQ(read(other), start + "another content type");
  other.headers["content-type"] = "text/html";
  EXPECT_EQ(read(other), "parca: the server answered with an HTML page, such as a login page");
  other.headers["content-type"] = "application/grpc-web-text+proto";
  EXPECT_EQ(read(other), start + "base64 was not asked for");
  EXPECT_EQ(read(response("", 502)), "parca: the server answered 502 (Bad Gateway)");
}

TEST(GrpcMessage, IsSentAgainWhileTheServerIsUnavailable) {
  const std::string type = "Content-Type: application/grpc-web+proto\r\n";
  const std::string ok_frames("\0\0\0\0\x01m\x80\0\0\0\x0egrpc-status: 0", 25);
  test::ScriptedServer server({test::answer(200, "", type + "Grpc-Status: 14\r\n"),
                               test::answer(200, ok_frames, type),
                               test::answer(200, "", type + "Grpc-Status: 8\r\n"),
                               test::answer(200, frame('\x80', "grpc-status: 14\r\n"), type),
                               test::answer(200, ok_frames, type),
                               test::answer(200, frame('\x80', "grpc-status: 8\r\n"), type)});
  net::HttpClient client({.tries = 3, .first_pause = .01});
  const auto send = [&] {
    const net::HttpResponse response =
        client.send(net::grpc_request(net::GrpcForm::kWeb, server.url(), {}, "q")).value();
    return net::read_grpc_answer(response, "p").value();
  };
  EXPECT_EQ(send().message, "m");
  EXPECT_EQ(server.requests().size(), 2u);
  // What is no matter of waiting is not.
  EXPECT_EQ(send().status, net::kGrpcResourceExhausted);
  EXPECT_EQ(server.requests().size(), 3u);
  // The same in a frame of trailers.
  EXPECT_EQ(send().message, "m");
  EXPECT_EQ(server.requests().size(), 5u);
  EXPECT_EQ(send().status, net::kGrpcResourceExhausted);
  EXPECT_EQ(server.requests().size(), 6u);
}

}  // namespace
}  // namespace pgo::grpc_message_test
