// The commands. Each lives in its own cmd_<name>.cc; main.cc lists them.
#pragma once

namespace pgo {

class CommandLine;

// Each declares the options of its command, and what runs it.
void declare_archive(CommandLine& line);
void declare_bolt(CommandLine& line);
void declare_completion(CommandLine& line);
void declare_convert(CommandLine& line);
void declare_copy(CommandLine& line);
void declare_cost(CommandLine& line);
void declare_diff(CommandLine& line);
void declare_doctor(CommandLine& line);
void declare_fetch(CommandLine& line);
void declare_flags(CommandLine& line);
void declare_gc(CommandLine& line);
void declare_init(CommandLine& line);
void declare_list(CommandLine& line);
void declare_lock(CommandLine& line);
void declare_manual(CommandLine& line);
void declare_match(CommandLine& line);
void declare_merge(CommandLine& line);
void declare_pin(CommandLine& line);
void declare_pull(CommandLine& line);
void declare_push(CommandLine& line);
void declare_record(CommandLine& line);
void declare_refresh(CommandLine& line);
void declare_show(CommandLine& line);
void declare_status(CommandLine& line);
void declare_upload(CommandLine& line);
void declare_verify(CommandLine& line);

}  // namespace pgo
