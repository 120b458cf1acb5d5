// queryd: answers a log of requests, as a query service on one host would.
//
//   queryd [--answers] shop|warehouse|reports [REQUESTS [SEED]]   requests that it makes up
//   queryd [--answers] FILE                                       one on each line; -: standard
//   input queryd --requests shop|warehouse|reports [REQUESTS [SEED]]    prints them instead
//
// Prints how many requests there were, how many were refused, and a digest of all answers: two
// builds that print the same gave the same answers. With --answers, all of them as well. Exit
// status: 0, or 2 when it was not told what to do, or could not read or write.
#include <cerrno>
#include <charconv>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "engine/answer.h"
#include "engine/engine.h"
#include "engine/error.h"
#include "engine/hash.h"
#include "service/request_log.h"

namespace queryd {
namespace {

enum class Output { kSummary, kAnswers, kRequests };

struct Summary {
  uint64_t requests = 0, refused = 0, bytes = 0, digest = 0;
};

[[noreturn]] void fail_to_write() {
  throw std::system_error(errno, std::generic_category(), "the output");
}

void print_line(const std::string& line) {
  if (std::fwrite(line.data(), 1, line.size(), stdout) != line.size() || std::putchar('\n') == EOF)
    fail_to_write();
}

// One line of JSON, whatever the request is.
void answer_or_refuse(Engine& engine, std::string_view request, std::string& answer,
                      Summary& summary) {
  answer.clear();
  try {
    engine.answer(request, answer);
  } catch (const RequestError& error) {
    summary.refused++;
    answer = "{\"error\":";
    append_text(answer, error.what());
    answer += ",\"at\":" + std::to_string(error.at()) + "}";
  }
}

Summary answer_all(RequestLog& log, Output output) {
  Summary summary;
  Engine engine;
  std::string request, answer;
  while (log.next(request)) {
    answer_or_refuse(engine, request, answer, summary);
    if (output == Output::kAnswers) print_line(answer);
    summary.requests++;
    summary.bytes += answer.size();
    summary.digest = mix(summary.digest, hash_of(answer));
  }
  return summary;
}

int usage() {
  std::fputs(
      "usage: queryd [--answers|--requests] shop|warehouse|reports [REQUESTS [SEED]]\n"
      "       queryd [--answers] FILE\n",
      stderr);
  return 2;
}

bool parse_number(const char* text, uint64_t& number) {
  const char* end = text + std::strlen(text);
  auto [stopped, error] = std::from_chars(text, end, number);
  return error == std::errc() && stopped == end;
}

int run(RequestLog& log, Output output) {
  if (output == Output::kRequests) {
    for (std::string request; log.next(request);) print_line(request);
  } else {
    Summary summary = answer_all(log, output);
    std::printf("%" PRIu64 " requests, %" PRIu64 " refused, %" PRIu64 " bytes, digest %016" PRIx64
                "\n",
                summary.requests, summary.refused, summary.bytes, summary.digest);
  }
  if (std::fflush(stdout) != 0) fail_to_write();
  return 0;
}

int run(std::vector<const char*> arguments) {
  Output output = Output::kSummary;
  if (!arguments.empty() && std::strncmp(arguments[0], "--", 2) == 0) {
    std::string_view option = arguments[0];
    if (option != "--answers" && option != "--requests") return usage();
    output = option == "--answers" ? Output::kAnswers : Output::kRequests;
    arguments.erase(arguments.begin());
  }
  if (arguments.empty()) return usage();
  uint64_t count = 20000, seed = 1;
  if (std::optional<HostKind> kind = host_kind_named(arguments[0])) {
    if (arguments.size() > 3 || (arguments.size() > 1 && !parse_number(arguments[1], count)) ||
        (arguments.size() > 2 && !parse_number(arguments[2], seed)))
      return usage();
    return run(*make_up_requests(*kind, count, seed), output);
  }
  if (arguments.size() > 1 || output == Output::kRequests) return usage();
  std::string_view path = arguments[0];
  std::FILE* file = path == "-" ? stdin : std::fopen(arguments[0], "r");
  if (file == nullptr) {
    std::fprintf(stderr, "queryd: %s: %s\n", arguments[0], std::strerror(errno));
    return 2;
  }
  int status = run(*read_requests(file, path), output);
  if (file != stdin) std::fclose(file);
  return status;
}

}  // namespace
}  // namespace queryd

int main(int count, char** arguments) {
  try {
    return queryd::run({arguments + 1, arguments + count});
  } catch (const std::system_error& error) {
    std::fprintf(stderr, "queryd: %s\n", error.what());
    return 2;
  }
}
