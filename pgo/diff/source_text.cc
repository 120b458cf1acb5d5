#include "pgo/diff/source_text.h"

#include <climits>
#include <filesystem>

#include "pgo/base/utf8.h"

namespace pgo {
namespace {

constexpr uintmax_t kMaxBytes = uintmax_t{16} << 20;  // larger files are not source code
constexpr size_t kMaxLineBytes = 160;
constexpr size_t kTabWidth = 4;

bool is_source(const std::filesystem::path& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error) &&
         std::filesystem::file_size(path, error) <= kMaxBytes && !error;
}

std::string without_tabs(std::string_view line) {
  std::string text;
  for (char c : line)
    if (c == '\t')
      text.append(kTabWidth - text.size() % kTabWidth, ' ');
    else
      text += c;
  return text;
}

}  // namespace

std::string SourceText::look_for(const std::string& path) const {
  if (path.size() > PATH_MAX) return "";
  std::vector<std::filesystem::path> parts;
  for (const std::filesystem::path& part : std::filesystem::path(path).relative_path()) {
    if (part == "..")
      parts.clear();  // what stands before it says nothing of where the file is
    else if (part != "." && !part.empty())
      parts.push_back(part);
  }
  for (size_t begin = 0; begin < parts.size(); begin++) {
    std::filesystem::path end;
    for (size_t i = begin; i < parts.size(); i++) end /= parts[i];
    for (const std::string& root : roots_)
      if (std::filesystem::path file = (root / end).lexically_normal(); is_source(file))
        return file.string();
  }
  return "";
}

const SourceText::File& SourceText::open(const std::string& path) {
  auto [found, is_new] = files_.try_emplace(path);
  File& file = found->second;
  if (!is_new) return file;
  std::string here = look_for(path);
  if (here.empty()) return file;
  Result<MappedFile> contents = MappedFile::open(here);
  if (!contents) return file;  // as if it were not here: a listing has its figures without
  file.path = std::move(here);
  file.contents = *std::move(contents);
  std::string_view text = as_text(file.contents->bytes());
  while (!text.empty()) {
    size_t end = std::min(text.find('\n'), text.size());
    file.lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return file;
}

std::string SourceText::line(const std::string& path, int64_t number) {
  const File& file = open(path);
  if (number < 1 || static_cast<uint64_t>(number) > file.lines.size()) return "";
  std::string_view line = file.lines[static_cast<size_t>(number - 1)];
  if (line.ends_with('\r')) line.remove_suffix(1);
  return valid_utf8(without_tabs(line.substr(0, kMaxLineBytes)));
}

}  // namespace pgo
