#include "pgo/code/cxx_name.h"

#include <llvm/Demangle/ItaniumDemangle.h>
#include <llvm/Support/Allocator.h>

#include <cstdlib>
#include <utility>

namespace pgo {
namespace {

namespace itanium = llvm::itanium_demangle;
using itanium::Node;

// Behind each bound, the largest figure among the 639,090 C++ names of a Debian system with clang,
// LLVM, Boost and Rust's compiler. All of them are demangled, with the text that LLVM gives.
constexpr size_t kMaxMangledLength = size_t{1} << 14;         // 2265
constexpr size_t kMaxNesting = 512;                           // 43 to parse, 45 to print
constexpr size_t kFreeSteps = 4096, kStepsPerCharacter = 64;  // 0.8 per character, and 6.6 to print
constexpr size_t kFreeText = 4096, kTextPerCharacter = 256;   // 29 per character

// Counts the calls of a recursion. Once a bound is reached it stays closed, so that what is still
// on the stack does nothing more.
class Bound {
 public:
  explicit Bound(size_t max_steps) : steps_left_(max_steps) {}

  bool is_exceeded() const { return is_exceeded_; }
  void close() { is_exceeded_ = true; }

  bool enter() {
    if (is_exceeded_ || depth_ == kMaxNesting || steps_left_ == 0) {
      is_exceeded_ = true;
      return false;
    }
    depth_++;
    steps_left_--;
    return true;
  }
  void leave() { depth_--; }

 private:
  size_t depth_ = 0, steps_left_ = 0;
  bool is_exceeded_ = false;
};

size_t max_steps(std::string_view name) { return kFreeSteps + kStepsPerCharacter * name.size(); }

// Holds the nodes that the parser makes. Their destructors never run; they own nothing.
class NodeStore {
 public:
  template <typename T, typename... Args>
  T* makeNode(Args&&... args) {
    return new (allocator_.Allocate(sizeof(T), alignof(T))) T(std::forward<Args>(args)...);
  }
  void* allocateNodeArray(size_t count) {
    return allocator_.Allocate(sizeof(Node*) * count, alignof(Node*));
  }
  void reset() { allocator_.Reset(); }

 private:
  llvm::BumpPtrAllocator allocator_;
};

// Each cycle of the grammar but one leads through one of these functions (the other one is counted
// by has_deep_parameters()). A null node makes the parser give up.
class Parser : public itanium::AbstractManglingParser<Parser, NodeStore> {
  using Base = itanium::AbstractManglingParser<Parser, NodeStore>;

 public:
  explicit Parser(std::string_view name)
      : Base(name.data(), name.data() + name.size()), bound_(max_steps(name)) {}

  Node* parseType() {
    return bounded([&] { return Base::parseType(); });
  }
  Node* parseExpr() {
    return bounded([&] { return Base::parseExpr(); });
  }
  Node* parseBracedExpr() {
    return bounded([&] { return Base::parseBracedExpr(); });
  }
  Node* parseTemplateArg() {
    return bounded([&] { return Base::parseTemplateArg(); });
  }
  Node* parseName(NameState* state = nullptr) {
    return bounded([&] { return Base::parseName(state); });
  }
  Node* parseEncoding(bool with_parameters = true) {
    return bounded([&] { return Base::parseEncoding(with_parameters); });
  }

 private:
  template <typename Parse>
  Node* bounded(const Parse& parse_part) {
    if (!bound_.enter()) return nullptr;
    Node* node = parse_part();
    bound_.leave();
    return bound_.is_exceeded() ? nullptr : node;
  }

  Bound bound_;
};

class Printer : public itanium::OutputBuffer {
 public:
  explicit Printer(std::string_view name)
      : bound_(max_steps(name)), max_text_(kFreeText + kTextPerCharacter * name.size()) {
    // Nodes look at the last character that was printed, though there may be none.
    *this += ' ';
  }
  ~Printer() override { std::free(getBuffer()); }

  void printLeft(const Node& node) override {
    bounded([&] { OutputBuffer::printLeft(node); });
  }
  void printRight(const Node& node) override {
    bounded([&] { OutputBuffer::printRight(node); });
  }

  std::optional<std::string> text() const {
    if (bound_.is_exceeded()) return std::nullopt;
    return std::string(std::string_view(*this).substr(1));
  }

 private:
  template <typename Print>
  void bounded(const Print& print_part) {
    if (getCurrentPosition() > max_text_) bound_.close();
    if (!bound_.enter()) return;
    print_part();
    bound_.leave();
  }

  Bound bound_;
  size_t max_text_;
};

// Template parameters of template parameters (Tt, Tp) are the one part of the grammar that LLVM's
// parser reads by a direct recursion.
bool has_deep_parameters(std::string_view name) {
  size_t count = 0;
  for (size_t i = 0; i + 1 < name.size(); i++)
    count += name[i] == 'T' && (name[i + 1] == 't' || name[i + 1] == 'p');
  return count > kMaxNesting;
}

// Null for what is not a mangled name, or exceeds the bounds.
const Node* parse(Parser& parser, std::string_view mangled) {
  // The parser takes what begins otherwise for a type.
  if (!mangled.starts_with("_Z") && !mangled.starts_with("___Z")) return nullptr;
  if (mangled.size() > kMaxMangledLength || has_deep_parameters(mangled)) return nullptr;
  const Node* node = parser.parse();
  // A reference to a template argument that never came has no node.
  return parser.ForwardTemplateRefs.empty() ? node : nullptr;
}

// The node that says what kind of entity a name is of; null when that is `node` itself.
const Node* inner_node(const Node& node) {
  const Node* inner = nullptr;
  switch (node.getKind()) {
    case Node::KAbiTagAttr: inner = static_cast<const itanium::AbiTagAttr&>(node).Base; break;
    case Node::KFunctionEncoding:
      inner = static_cast<const itanium::FunctionEncoding&>(node).getName();
      break;
    case Node::KLocalName:
      static_cast<const itanium::LocalName&>(node).match(
          [&](const Node*, const Node* entity) { inner = entity; });
      break;
    case Node::KNameWithTemplateArgs:
      inner = static_cast<const itanium::NameWithTemplateArgs&>(node).Name;
      break;
    case Node::KNestedName: inner = static_cast<const itanium::NestedName&>(node).Name; break;
    case Node::KModuleEntity: inner = static_cast<const itanium::ModuleEntity&>(node).Name; break;
    default: break;
  }
  return inner;
}

}  // namespace

std::optional<std::string> demangle_cxx(std::string_view mangled) {
  Parser parser(mangled);
  const Node* node = parse(parser, mangled);
  if (node == nullptr) return std::nullopt;
  Printer printer(mangled);
  node->print(printer);
  return printer.text();
}

bool is_cxx_constructor_or_destructor(std::string_view mangled) {
  Parser parser(mangled);
  const Node* node = parse(parser, mangled);
  while (node != nullptr) {
    if (node->getKind() == Node::KCtorDtorName) return true;
    node = inner_node(*node);
  }
  return false;
}

}  // namespace pgo
