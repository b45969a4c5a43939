#include "parsers/edn/value_text.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "parsers/edn/instant.h"
#include "parsers/edn/string_text.h"

namespace elapid::edn {

namespace {

/// An element of a set, or a key with its value, as positions in the output.
struct Entry {
  std::size_t begin;
  std::size_t key_end;
  std::size_t end;
};

class FormWriter {
 public:
  FormWriter(Scanner& scanner, TextStyle style, std::string& out)
      : scanner_(scanner), style_(style), out_(out) {}

  /// Writes the form that begins with the current token. Recursion is limited by kMaxFormDepth.
  bool write() {
    const Token& token = scanner_.token();
    switch (token.kind) {
      case TokenKind::kError:
        return false;
      case TokenKind::kNil:
      case TokenKind::kTrue:
      case TokenKind::kFalse:
      case TokenKind::kKeyword:
      case TokenKind::kSymbol:
        out_ += token.text;
        return true;
      case TokenKind::kInteger:
      case TokenKind::kBigInteger:
      case TokenKind::kFloat:
      case TokenKind::kDecimal:
      case TokenKind::kRatio:
        append_number(token, style_, out_);
        return true;
      case TokenKind::kString:
        append_string(token.text, out_);
        return true;
      case TokenKind::kCharacter:
        append_character(character_code(token.text).value_or(0), out_);
        return true;
      case TokenKind::kRegex:
        append_regex(token.text, out_);
        return true;
      default:
        return write_nested();
    }
  }

  /// The reason why write() failed, unless the scanner failed.
  [[nodiscard]] const Error& problem() const { return problem_; }

 private:
  bool write_nested() {
    const Token token = scanner_.token();
    if (!is_open(token.kind) && token.kind != TokenKind::kTag) {
      return fail(token.offset, "expected a form, found " + describe(token));
    }
    if (depth_ == kMaxFormDepth) {
      return fail(token.offset, "expected a form with at most " + std::to_string(kMaxFormDepth) +
                                    " levels, found more");
    }
    ++depth_;
    const bool is_written = write_nested(token);
    --depth_;
    return is_written;
  }

  bool write_nested(const Token& token) {
    switch (token.kind) {
      case TokenKind::kOpenList:
        return style_ == TextStyle::kPrinted ? write_sequence("(", ")") : write_sequence("[", "]");
      case TokenKind::kOpenVector:
        return write_sequence("[", "]");
      case TokenKind::kOpenSet:
        return write_set(token.offset);
      case TokenKind::kOpenMap:
        return write_map(token.offset, std::string(token.text));
      default:
        return write_tagged(std::string(token.text));
    }
  }

  bool write_sequence(std::string_view open, std::string_view close) {
    out_ += open;
    std::string_view separator;
    while (!is_close(scanner_.next())) {
      out_ += separator;
      separator = " ";
      if (!write()) {
        return false;
      }
    }
    out_ += close;
    return true;
  }

  bool write_set(std::uint64_t offset) {
    const std::size_t begin = out_.size();
    std::vector<Entry> entries;
    while (!is_close(scanner_.next())) {
      const std::size_t element = out_.size();
      if (!write()) {
        return false;
      }
      entries.push_back({element, out_.size(), out_.size()});
    }
    return assemble(offset, begin, "#{", std::move(entries));
  }

  bool write_map(std::uint64_t offset, const std::string& space) {
    const std::size_t begin = out_.size();
    std::vector<Entry> entries;
    while (!is_close(scanner_.next())) {
      Entry entry{out_.size(), 0, 0};
      if (!write_key(space)) {
        return false;
      }
      entry.key_end = out_.size();
      if (is_close(scanner_.next())) {
        return fail(offset, "expected a map with a value for each key, found none for " +
                                in_quotes(out_.substr(entry.begin)));
      }
      out_ += ' ';
      if (!write()) {
        return false;
      }
      entry.end = out_.size();
      entries.push_back(entry);
    }
    return assemble(offset, begin, "{", std::move(entries));
  }

  /// Writes a key. In `#:ns{...}` names without a namespace get this one, and `_` stands for none.
  bool write_key(const std::string& space) {
    const TokenKind kind = scanner_.token().kind;
    if (space.empty() || (kind != TokenKind::kKeyword && kind != TokenKind::kSymbol)) {
      return write();
    }
    std::string_view name = scanner_.token().text;
    if (kind == TokenKind::kKeyword) {
      out_ += ':';
      name.remove_prefix(1);
    }
    if (name.starts_with("_/")) {
      name.remove_prefix(2);
    } else if (name == "/" || name.find('/') == std::string_view::npos) {
      out_ += space;
      out_ += '/';
    }
    out_ += name;
    return true;
  }

  /// Puts the entries behind `begin` between brackets; in canonical text, sorted.
  bool assemble(std::uint64_t offset, std::size_t begin, std::string_view open,
                std::vector<Entry> entries) {
    const std::string entry_texts = out_.substr(begin);
    const auto text = [&entry_texts, begin](std::size_t from, std::size_t to) {
      return std::string_view(entry_texts).substr(from - begin, to - from);
    };
    const auto key = [&text](const Entry& entry) { return text(entry.begin, entry.key_end); };
    const bool is_canonical = style_ == TextStyle::kCanonical;
    if (is_canonical) {
      std::sort(entries.begin(), entries.end(),
                [&key](const Entry& a, const Entry& b) { return key(a) < key(b); });
      const auto twice =
          std::adjacent_find(entries.begin(), entries.end(),
                             [&key](const Entry& a, const Entry& b) { return key(a) == key(b); });
      if (twice != entries.end()) {
        return fail(offset, "expected distinct keys, found " + in_quotes(key(*twice)) + " twice");
      }
    }
    const bool has_commas = !is_canonical && open == "{";
    out_.resize(begin);
    out_ += open;
    std::string_view separator;
    for (const Entry& entry : entries) {
      out_ += separator;
      out_ += text(entry.begin, entry.end);
      separator = has_commas ? ", " : " ";
    }
    out_ += '}';
    return true;
  }

  bool write_tagged(const std::string& tag) {
    out_ += '#';
    out_ += tag;
    out_ += ' ';
    const TokenKind kind = scanner_.next();
    const bool is_instant = tag == "inst";
    if (!is_instant && tag != "uuid") {
      return write();
    }
    if (kind == TokenKind::kError) {
      return false;
    }
    const Token& token = scanner_.token();
    bool is_valid = kind == TokenKind::kString;
    if (is_valid) {
      const std::string_view text = token.text.substr(1, token.text.size() - 2);
      out_ += '"';
      is_valid = is_instant ? append_instant(text, out_) : append_uuid(text, out_);
      out_ += '"';
    }
    return is_valid ||
           fail(token.offset, std::string("expected ") + (is_instant ? "a timestamp" : "a UUID") +
                                  " behind #" + tag + ", found " + describe(token));
  }

  bool fail(std::uint64_t offset, std::string message) {
    problem_ = malformed_at(offset, std::move(message));
    return false;
  }

  Scanner& scanner_;
  TextStyle style_;
  std::string& out_;
  std::size_t depth_ = 0;
  Error problem_;
};

}  // namespace

Status append_form(Scanner& scanner, TextStyle style, std::string& out) {
  FormWriter writer(scanner, style, out);
  if (writer.write()) {
    return {};
  }
  return scanner.token().kind == TokenKind::kError ? scanner.error() : writer.problem();
}

}  // namespace elapid::edn
