// The parts of make_show_report(), one for each kind of contents: show_<kind>.cc. `result` has the
// path and the size of the file, and how many lines a table may have. Those that name options take
// the caller's words.
#pragma once

#include "pgo/report/show_report.h"

namespace pgo {

ShowReport report_contents(const ShowResult& result, const RecordingContents& contents,
                           const OptionWordsFn& words);
ShowReport report_contents(const ShowResult& result, const ElfContents& contents,
                           const OptionWordsFn& words);
ShowReport report_contents(const ShowResult& result, const StackContents& contents);
ShowReport report_contents(const ShowResult& result, const LlvmContents& contents);
ShowReport report_contents(const ShowResult& result, const GccContents& contents);
ShowReport report_contents(const ShowResult& result, const FdataContents& contents);
ShowReport report_contents(const ShowResult& result, const BoltYamlContents& contents);
ShowReport report_contents(const ShowResult& result, const PreaggregatedContents& contents);
ShowReport report_contents(const ShowResult& result, const AddressContents& contents,
                           const OptionWordsFn& words);
ShowReport report_contents(const ShowResult& result, const ConversionReport& contents);
ShowReport report_contents(const ShowResult& result, const DirectoryContents& contents,
                           const OptionWordsFn& words);

}  // namespace pgo
