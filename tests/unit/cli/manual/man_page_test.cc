#include "pgo/cli/manual/man_page.h"

#include <gtest/gtest.h>

namespace pgo::man_page_test {
namespace {

ProgramDescription program() {
  ProgramDescription program;
  program.name = "pgo";
  program.version = "0.1.0";
  program.summary = "turn profiles into profiles";
  program.footer = "Exit codes: 0 success.";
  program.options = {{.names = {"--version"}, .help = "Print the version", .heading = "Options"}};
  CommandDescription merge;
  merge.name = "merge";
  merge.summary = "Merge profiles";
  merge.footer = "The order does\nnot matter.\nExamples:\n  pgo merge a -o 'b c.addr'\n  .hidden\n";
  merge.arguments = {
      {.names = {"INPUT"}, .help = "Profiles", .is_required = true, .is_repeatable = true},
      {.names = {"OTHER"}, .help = "More"}};
  merge.options = {{.names = {"-o", "--output"},
                    .value = "FILE",
                    .help = "Write this:\n  a\\b   *.addr\nor nothing",
                    .heading = "Options",
                    .is_required = true,
                    .is_repeatable = true},
                   {.names = {"--jobs"},
                    .value = "N",
                    .default_value = "1",
                    .environment = "JOBS",
                    .needs = {"--output"},
                    .excludes = {"--all"},
                    .help = "Threads",
                    .heading = "Output"}};
  program.commands = {merge};
  return program;
}

TEST(ManPage, ListsCommands) {
  EXPECT_EQ(man_page_name(program()), "pgo.1");
  EXPECT_EQ(man_page(program()), R"(.TH "pgo" 1 "" "ProdPGO 0.1.0" "User Commands"
.nh
.ad l
.SH "NAME"
pgo \- turn profiles into profiles
.SH "SYNOPSIS"
\fBpgo\fR \fICOMMAND\fR [\fIOPTIONS\fR]
.SH "COMMANDS"
.TP
\fBpgo\-merge\fR(1)
Merge profiles
.SH "OPTIONS"
.TP
\fB\-\-version\fR
Print the version
.SH "EXIT STATUS"
Exit codes: 0 success.
)");
}

TEST(ManPage, ShowsACommand) {
  EXPECT_EQ(man_page_name(program(), program().commands[0]), "pgo-merge.1");
  EXPECT_EQ(man_page(program(), program().commands[0]),
            R"(.TH "pgo\-merge" 1 "" "ProdPGO 0.1.0" "User Commands"
.nh
.ad l
.SH "NAME"
pgo\-merge \- Merge profiles
.SH "SYNOPSIS"
\fBpgo merge\fR [\fIOPTIONS\fR] \fIINPUT\fR ... [\fIOTHER\fR]
.SH "DESCRIPTION"
The order does
not matter.
.SH "ARGUMENTS"
.TP
\fBINPUT\fR
Profiles.
Required.
May be given several times.
.TP
\fBOTHER\fR
More
.SH "OPTIONS"
.TP
\fB\-o\fR, \fB\-\-output\fR \fIFILE\fR
Write this:
.PD 0
.nf
\&  a\eb   *.addr
.fi
.PD
or nothing.
Required.
May be given several times.
.SS "Output"
.TP
\fB\-\-jobs\fR \fIN\fR (default: 1)
Threads.
The environment variable \fBJOBS\fR sets it, too.
Only together with \fB\-\-output\fR.
Not together with \fB\-\-all\fR.
.SH "EXAMPLES"
.PD 0
.nf
\&  pgo merge a \-o \(aqb c.addr\(aq
\&  .hidden
.fi
.PD
.SH "EXIT STATUS"
\fBpgo\fR(1) lists the exit codes of all commands.
)");
}

}  // namespace
}  // namespace pgo::man_page_test
