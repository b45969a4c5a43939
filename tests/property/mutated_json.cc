#include "tests/property/mutated_json.h"

#include <cctype>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

namespace elapid {

namespace {

/// A value, or a list of values: an array's elements, an object's keys and values by turns.
struct Node {
  char open = 0;           // '[', '{', or none
  std::string token = {};  // if none
  std::vector<Node> items = {};
};

/// Reads valid JSON without escapes in its strings but `\"` and `\\`.
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  std::vector<Node> values() {
    std::vector<Node> all;
    for (skip(); at_ < text_.size(); skip()) {
      all.push_back(value());
    }
    return all;
  }

 private:
  /// What says nothing.
  void skip() {
    while (at_ < text_.size() && std::string_view(" \n,:").find(text_[at_]) != text_.npos) {
      ++at_;
    }
  }

  Node value() {
    Node node;
    if (text_[at_] != '[' && text_[at_] != '{') {
      node.token = token();
      return node;
    }
    node.open = text_[at_++];
    for (skip(); text_[at_] != ']' && text_[at_] != '}'; skip()) {
      node.items.push_back(value());
    }
    ++at_;
    return node;
  }

  std::string token() {
    const std::size_t begin = at_++;
    if (text_[begin] == '"') {
      for (; text_[at_] != '"'; ++at_) {
        at_ += text_[at_] == '\\' ? std::size_t{1} : 0;
      }
      ++at_;
    } else {
      while (at_ < text_.size() && std::string_view(" \n,:]}").find(text_[at_]) == text_.npos) {
        ++at_;
      }
    }
    return std::string(text_.substr(begin, at_ - begin));
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

void print(const Node& node, std::string& out) {
  if (node.open == 0) {
    out += node.token;
    return;
  }
  out += node.open;
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    out += i == 0 ? "" : node.open == '{' && i % 2 == 1 ? ": " : ",";
    print(node.items[i], out);
  }
  out += node.open == '{' ? '}' : ']';
}

std::string printed(const std::vector<Node>& lines) {
  std::string out;
  for (const Node& line : lines) {
    print(line, out);
    out += '\n';
  }
  return out;
}

class Mutation {
 public:
  Mutation(std::vector<Node> lines, const std::vector<Node>& other,
           std::span<const std::string_view> words, Random& random)
      : root_{.open = '[', .items = std::move(lines)},
        other_{.open = '[', .items = other},
        words_(words),
        random_(random) {}

  void change_something() {
    if (random_.percent(60)) {
      change_value();
    } else {
      change_items();
    }
  }

  [[nodiscard]] const std::vector<Node>& lines() const { return root_.items; }

 private:
  /// Any value in the tree that is one of these.
  template <class Predicate>
  Node* any(Node& root, Predicate is_one) {
    std::vector<Node*> found;
    collect(root, is_one, found);
    return found.empty() ? nullptr : found[random_.below(found.size())];
  }

  template <class Predicate>
  static void collect(Node& node, Predicate is_one, std::vector<Node*>& found) {
    if (is_one(node)) {
      found.push_back(&node);
    }
    for (Node& item : node.items) {
      collect(item, is_one, found);
    }
  }

  static bool is_number(const Node& node) {
    return !node.token.empty() && std::isdigit(static_cast<unsigned char>(node.token.front())) != 0;
  }

  static bool is_word(const Node& node) { return !node.token.empty() && node.token.front() == '"'; }

  void change_value() {
    switch (random_.below(6)) {
      case 0:
      case 1:
      case 2:
        if (Node* number = any(root_, is_number)) {
          number->token = other_number();
        }
        break;
      case 3:
        if (Node* word = any(root_, is_word)) {
          word->token = '"' + std::string(words_[random_.below(words_.size())]) + '"';
        }
        break;
      case 4:
        if (Node* truth = any(root_, [](const Node& node) {
              return node.token == "true" || node.token == "false" || node.token == "null";
            })) {
          truth->token = std::vector<std::string>{"true", "false", "null", "0"}[random_.below(4)];
        }
        break;
      default:
        rename();
    }
  }

  /// Two numbers change places wherever they stand.
  void rename() {
    const Node* first = any(root_, is_number);
    const Node* second = any(root_, is_number);
    if (first == nullptr) {
      return;
    }
    const std::string a = first->token;
    const std::string b = second->token;
    std::vector<Node*> all;
    collect(root_, is_number, all);
    for (Node* number : all) {
      if (number->token == a) {
        number->token = b;
      } else if (number->token == b) {
        number->token = a;
      }
    }
  }

  std::string other_number() {
    static const std::vector<std::string> kStrange = {
        "4294967294", "4294967295", "4294967296", "2147483648", "18446744073709551616",
        "-1",         "1.5",        "1e3",        "null",       "\"1\""};
    return random_.percent(75) ? std::to_string(random_.below(9)) : random_.pick(kStrange);
  }

  void change_items() {
    Node* list = any(root_, [](const Node& node) { return node.items.size() > 0; });
    const Node* source = any(other_, [](const Node& node) { return node.items.size() > 0; });
    const std::size_t width = list->open == '{' ? 2 : 1;  // a field is two values
    const auto field = [&](const Node& node) {
      return static_cast<std::ptrdiff_t>(random_.below(node.items.size() / width) * width);
    };
    const auto begin = list->items.begin();
    const std::ptrdiff_t at = field(*list);
    const auto end = at + static_cast<std::ptrdiff_t>(width);
    switch (random_.below(5)) {
      case 0:
        list->items.erase(begin + at, begin + end);
        break;
      case 1: {
        const std::vector<Node> copy(begin + at, begin + end);
        list->items.insert(begin + end, copy.begin(), copy.end());
        break;
      }
      case 2:
        std::swap_ranges(begin + at, begin + end, begin + field(*list));
        break;
      case 3:
        if (source != nullptr && source->open == list->open) {
          const Node copy = *source;
          const std::ptrdiff_t from = field(copy);
          list->items.insert(begin + end, copy.items.begin() + from,
                             copy.items.begin() + from + static_cast<std::ptrdiff_t>(width));
        }
        break;
      default:
        nest(list->items[random_.below(list->items.size())]);
    }
  }

  void nest(Node& node) {
    const std::size_t depth = random_.percent(90) ? 1 + random_.below(3) : 5000;
    std::string text;
    print(node, text);
    node = {.token = std::string(depth, '[') + text + std::string(depth, ']')};
  }

  Node root_;
  Node other_;
  std::span<const std::string_view> words_;
  Random& random_;
};

}  // namespace

std::string mutated_json(std::string_view text, std::string_view other,
                         std::span<const std::string_view> words, Random& random) {
  Mutation mutation(Parser(text).values(), Parser(other).values(), words, random);
  for (std::size_t changes = 1 + random.below(3); changes > 0; --changes) {
    if (!mutation.lines().empty()) {
      mutation.change_something();
    }
  }
  std::string out = printed(mutation.lines());
  if (random.percent(4)) {
    out.resize(random.below(out.size() + 1));
  } else if (random.percent(4) && !out.empty()) {
    out[random.below(out.size())] = static_cast<char>(random.below(256));
  }
  return out;
}

}  // namespace elapid
