#include "pgo/flags/flag_table.h"

#include <llvm/Support/JSON.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace pgo {
namespace {

constexpr std::string_view kTable =
#include "compiler_flags_json.inc"
    ;

template <typename Value>
struct Name {
  llvm::StringLiteral name;
  Value value;
};
constexpr Name<CompilerFamily> kCompilers[] = {{"clang", CompilerFamily::kClang},
                                               {"gcc", CompilerFamily::kGcc}};
constexpr Name<FlagPurpose> kPurposes[] = {{"profilable", FlagPurpose::kProfilable},
                                           {"profile", FlagPurpose::kProfile}};
constexpr Name<FlagStep> kSteps[] = {
    {"compile", FlagStep::kCompile}, {"link", FlagStep::kLink}, {"lto-link", FlagStep::kLtoLink}};
constexpr Name<FlagCondition> kConditions[] = {
    {"always", FlagCondition::kAlways},
    {"without-debug-option", FlagCondition::kWithoutDebugOption},
    {"probes", FlagCondition::kProbes},
    {"bolt", FlagCondition::kBolt},
    {"thin-lto", FlagCondition::kThinLto},
    {"without-lto", FlagCondition::kWithoutLto},
    {"on-request", FlagCondition::kOnRequest}};

// Reads the members of one flag; remembers the first that is wrong.
class FlagReader {
 public:
  explicit FlagReader(const llvm::json::Object& object) : object_(object) {}

  CompilerFlag read() {
    CompilerFlag flag;
    flag.compiler = choice("compiler", kCompilers);
    flag.purpose = choice("for", kPurposes);
    flag.when = choice("when", kConditions);
    flag.steps = steps();
    flag.loss = text("loss");
    flag.option = text("option");
    flag.llvm_option = text("llvm_option");
    if (flag.loss.empty()) fault("loss");
    if (flag.option.empty() == flag.llvm_option.empty()) fault("option");
    return flag;
  }
  // The name of the member that is missing or unknown; empty: all is well.
  const std::string& wrong() const { return wrong_; }

 private:
  void fault(const char* key) {
    if (wrong_.empty()) wrong_ = key;
  }
  std::string text(const char* key) const { return object_.getString(key).value_or("").str(); }

  template <typename Value, size_t kCount>
  std::optional<Value> find(llvm::StringRef name, const Name<Value> (&names)[kCount]) const {
    for (const Name<Value>& known : names)
      if (known.name == name) return known.value;
    return std::nullopt;
  }
  template <typename Value, size_t kCount>
  Value choice(const char* key, const Name<Value> (&names)[kCount]) {
    std::optional<Value> value = find(text(key), names);
    if (!value) fault(key);
    return value.value_or(names[0].value);
  }
  std::vector<FlagStep> steps() {
    std::vector<FlagStep> found;
    if (const llvm::json::Array* array = object_.getArray("steps"))
      for (const llvm::json::Value& name : *array)
        if (auto step = find(name.getAsString().value_or(""), kSteps)) found.push_back(*step);
    const llvm::json::Array* array = object_.getArray("steps");
    if (found.empty() || found.size() != array->size()) fault("steps");
    return found;
  }

  const llvm::json::Object& object_;
  std::string wrong_;
};

}  // namespace

bool CompilerFlag::is_for(FlagStep step) const {
  return std::find(steps.begin(), steps.end(), step) != steps.end();
}

std::vector<std::string> CompilerFlag::words(FlagStep step) const {
  if (llvm_option.empty()) return {option};
  if (step == FlagStep::kCompile) return {"-mllvm", "-" + llvm_option};
  return {"-Wl,-plugin-opt=-" + llvm_option};
}

std::string CompilerFlag::text() const {
  return llvm_option.empty() ? option : "-mllvm -" + llvm_option;
}

Result<std::vector<CompilerFlag>> compiler_flags() { return parse_flag_table(kTable); }

Result<std::vector<CompilerFlag>> parse_flag_table(std::string_view json) {
  const std::string where = "the table of compiler flags";
  llvm::Expected<llvm::json::Value> root =
      llvm::json::parse(llvm::StringRef(json.data(), json.size()));
  if (!root) return fail(ErrorKind::kInternal, where + ": " + llvm::toString(root.takeError()));
  const llvm::json::Object* document = root->getAsObject();
  const llvm::json::Array* flags = document == nullptr ? nullptr : document->getArray("flags");
  if (flags == nullptr) return fail(ErrorKind::kInternal, where + ": has no list \"flags\"");

  std::vector<CompilerFlag> table;
  for (const llvm::json::Value& value : *flags) {
    const std::string which = where + ": flag " + std::to_string(table.size() + 1);
    const llvm::json::Object* object = value.getAsObject();
    if (object == nullptr) return fail(ErrorKind::kInternal, which + " is not an object");
    FlagReader reader(*object);
    table.push_back(reader.read());
    if (!reader.wrong().empty())
      return fail(ErrorKind::kInternal, which + ": \"" + reader.wrong() + "\" is wrong or missing");
  }
  return table;
}

}  // namespace pgo
