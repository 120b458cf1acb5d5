#include "pgo/cli/manual/completion.h"

#include <gtest/gtest.h>

namespace pgo::completion_test {
namespace {

ProgramDescription program() {
  ProgramDescription program;
  program.name = "pgo";
  program.options = {{.names = {"--version"}, .help = "Print the version"}};
  CommandDescription lock;
  lock.name = "lock";
  lock.summary = "Show what [really] changed: it's here";
  lock.arguments = {{.names = {"ACTION"},
                     .value = "TEXT",
                     .words = {"diff", "show"},
                     .help = "diff: show what changed",
                     .is_required = true},
                    {.names = {"FILE"}, .value = "TEXT", .help = "A file", .is_repeatable = true}};
  lock.options = {{.names = {"-o", "--output"},
                   .value = "FILE",
                   .help = "Write this file; may be given several times:\n  md:PATH",
                   .is_repeatable = true},
                  {.names = {"--by"}, .value = "a|b", .words = {"a", "b"}, .help = "The\norder. x"},
                  {.names = {"--json"}, .help = "Print JSON"}};
  program.commands = {lock};
  return program;
}

bool has(const std::string& text, const std::string& line) { return text.find(line) != text.npos; }

TEST(Completion, OfBashKnowsWordsAndFiles) {
  const std::string script = completion_script(program(), Shell::kBash);
  EXPECT_TRUE(has(script, R"(    lock)
      options='-o --output --by --json'
      words='diff show'
      case $previous in
        -o|--output) words='' options= ;;
        --by) words='a b' options= ;;
      esac
      ;;
)")) << script;
  EXPECT_TRUE(has(script, "    words='lock'\n    options='--version'\n")) << script;
}

TEST(Completion, OfZshDescribesOptions) {
  const std::string script = completion_script(program(), Shell::kZsh);
  EXPECT_TRUE(has(script, R"(        'lock:Show what \[really\] changed\: it'\''s here')"))
      << script;
  EXPECT_TRUE(has(script, R"(        lock)
          _arguments -S \
            '*-o[Write this file]:FILE:_files' \
            '*--output=[Write this file]:FILE:_files' \
            '(--by)--by=[The order]:a|b:(a b)' \
            '(--json)--json[Print JSON]' \
            ':TEXT:(diff show)' \
            '*:TEXT:_files'
          ;;
)")) << script;
}

TEST(Completion, OfFishDescribesOptions) {
  EXPECT_EQ(completion_script(program(), Shell::kFish), R"(# fish completion for pgo
complete -c pgo -n __fish_use_subcommand -f
complete -c pgo -n __fish_use_subcommand -l version -d 'Print the version'
complete -c pgo -n __fish_use_subcommand -a lock -d 'Show what [really] changed: it\'s here'
complete -c pgo -n '__fish_seen_subcommand_from lock' -s o -l output -r -F -d 'Write this file'
complete -c pgo -n '__fish_seen_subcommand_from lock' -l by -x -a 'a b' -d 'The order'
complete -c pgo -n '__fish_seen_subcommand_from lock' -l json -d 'Print JSON'
complete -c pgo -n '__fish_seen_subcommand_from lock' -f -a 'diff show'
)");
}

}  // namespace
}  // namespace pgo::completion_test
