# Sourced by tests of builds by Bazel, after bazel_prelude.sh and ci_build_scenario.sh: the project that the job builds.
new_project() {
  workspace source
  sources source
  echo "startup --output_user_root=$work/root --max_idle_secs=15 --host_jvm_args=-Xmx1g" >> source/.bazelrc
  sed -i '/^prodpgo.profile/s/.*/prodpgo.profile(name = "profile", entry = "server", lock = "\/\/:pgo.lock")/' source/WORKSPACE
  cat > source/BUILD.bazel << 'END'
load("@prodpgo//:defs.bzl", "cc_pgo_binary")
load("@rules_cc//cc:defs.bzl", "cc_library")
cc_library(name = "scale", srcs = ["lib/scale.c"])
cc_pgo_binary(name = "server", srcs = ["main.cc"], profile = "@profile", deps = [":scale"])
sh_test(name = "runs", srcs = ["runs.sh"], data = [":server"])
END
  printf '#!/bin/sh\n./server 10\n' > source/runs.sh
  chmod +x source/runs.sh
}
program=bazel-bin/server
passed='1 test passes'
without_profile=1
# Both preludes stop something at the end.
trap 'for pid in "${server_pids[@]}"; do kill -KILL "$pid" 2> /dev/null || :; done; stop_bazel' EXIT
