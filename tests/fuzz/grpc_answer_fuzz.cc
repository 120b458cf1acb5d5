// Any bytes as the body of a gRPC answer: an error, or a message that is a part of them.
#include <cstdlib>

#include "pgo/base/bytes.h"
#include "pgo/net/grpc_message.h"

using namespace pgo;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  net::HttpResponse response;
  response.status = 200;
  response.headers["content-type"] = "application/grpc-web+proto";
  response.body = as_text({data, size});
  const Result<net::GrpcAnswer> answer = net::read_grpc_answer(response, "fuzz");
  if (!answer && !answer.error().message.starts_with("fuzz:")) std::abort();
  if (answer && answer->status == net::kGrpcOk &&
      response.body.find(answer->message) == std::string::npos)
    std::abort();
  if (answer && answer->status != net::kGrpcOk)
    for (char c : net::grpc_error("fuzz", *answer).message)
      if (c < ' ' || c > '~') std::abort();
  return 0;
}
