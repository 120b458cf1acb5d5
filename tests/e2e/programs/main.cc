// Runs the work of shapes.h for the number of rounds given, and prints its result.
#include <cstdio>
#include <cstdlib>

#include "shapes.h"

int main(int argc, char** argv) {
  std::printf("%lld\n", static_cast<long long>(rounds_of_work(argc > 1 ? std::atoi(argv[1]) : 40)));
}
