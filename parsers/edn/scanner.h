// EDN as a stream of tokens, read through a moving window.
//
//   Scanner scanner(source);
//   while (scanner.next() != TokenKind::kEnd) {
//     if (scanner.token().kind == TokenKind::kError) return scanner.error();
//     ...
//   }
//
// The grammar is that of Clojure's reader (clojure.lang.EdnReader). Comments, discarded forms and
// metadata are skipped; brackets are matched. There is no recursion, and no allocation for a token:
// a window grows only if one token is larger than half of it, and each open bracket takes eight
// bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/ir/result.h"
#include "parsers/bytes/byte_source.h"
#include "parsers/bytes/digits.h"
#include "parsers/bytes/growing_buffer.h"
#include "parsers/edn/char_class.h"
#include "parsers/edn/token.h"

namespace elapid::edn {

class Scanner {
 public:
  static constexpr std::size_t kWindowBytes = std::size_t{1} << 16;
  /// The most brackets open at one time; more are an error.
  static constexpr std::size_t kMaxDepth = std::size_t{1} << 24;

  /// Reads the borrowed `source` from its current place, which is `offset` bytes into the input.
  explicit Scanner(ByteSource& source, std::uint64_t offset = 0,
                   std::size_t window_bytes = kWindowBytes);

  /// Reads a borrowed text in memory, which is `offset` bytes into the input. A NUL and
  /// kWordPadding readable bytes must follow it.
  Scanner(std::string_view text, std::uint64_t offset);

  /// Steps to the next token. After kError every step is kError; after kEnd, kEnd.
  TokenKind next();

  [[nodiscard]] const Token& token() const { return token_; }

  [[nodiscard]] const Error& error() const { return error_; }

  /// Skips the rest of the form that the current token begins. False after an error.
  bool skip();
  /// Skips tokens until only `depth` brackets are open. False after an error.
  bool skip_out_to(std::size_t depth);
  /// Skips U+FEFF at the very start; whether there was one.
  bool skip_byte_order_mark();

  /// The number of brackets open after the current token.
  [[nodiscard]] std::size_t depth() const { return open_.size(); }

  /// Marks that the current token begins an operation or a similar form. A form longer than
  /// ByteSource::line_limit() is an error, as every longer token is.
  void begin_form() { form_offset_ = token_.offset; }

  /// Marks the end of the form.
  void end_form() { form_offset_.reset(); }

  /// The offset after the current token.
  [[nodiscard]] std::uint64_t offset() const { return offset_of(cursor_); }

  /// The bytes in memory after the current token, for consumers with short cuts. A NUL and
  /// kWordPadding readable bytes follow them.
  [[nodiscard]] std::string_view ahead() const { return view(cursor_, limit_); }

  [[nodiscard]] std::uint64_t offset_of(const char* at) const {
    return window_offset_ + static_cast<std::uint64_t>(at - window_begin_);
  }

  /// Steps over balanced brackets up to `end`, which must be in ahead().
  void jump(const char* end) {
    begin_ = end - 1;
    finish(TokenKind::kCloseBrace, end);
  }

  /// Ends the scan with a consumer's own error. Returns kError, as every further step does.
  TokenKind fail(std::uint64_t offset, std::string message);

 private:
  static std::string_view view(const char* begin, const char* end) {
    return {begin, static_cast<std::size_t>(end - begin)};
  }

  TokenKind finish(TokenKind kind, const char* end) {
    token_ = {kind, offset_of(begin_), view(begin_, end), 0};
    cursor_ = end;
    return kind;
  }

  bool more(const char*& at);
  bool is_too_long();
  bool ensure(const char*& at, std::size_t count);
  bool decode(const char*& at, std::uint32_t& code, std::uint32_t& length);
  bool finish_word(const char*& at, CharBits end);

  TokenKind lex();
  TokenKind lex_number();
  TokenKind lex_keyword();
  TokenKind lex_symbol();
  TokenKind lex_odd_number();
  TokenKind lex_odd_symbol();
  TokenKind lex_string(const char* at);
  TokenKind lex_regex(const char* at);
  TokenKind lex_character(const char* at);
  TokenKind lex_dispatch(const char* at);
  TokenKind lex_symbolic_value(const char* at);
  TokenKind lex_namespaced_map(const char* at);
  TokenKind lex_tag(const char* at);
  TokenKind end_of_input();
  bool skip_comment(const char*& at);
  bool skip_escape(const char*& at);
  bool skip_octal_escape(const char*& at);
  TokenKind open(TokenKind kind, const char* end);
  TokenKind close(TokenKind kind, const char* end);

  TokenKind pass_prefixes();
  TokenKind skip_forms(std::uint64_t count);

  // The window: reading more keeps [begin_, limit_); *limit_ is NUL.
  ByteSource* source_;  // null: all bytes are in the window
  GrowingBuffer window_;
  std::size_t capacity_;
  const char* window_begin_;
  std::uint64_t window_offset_;  // of its first byte in the input
  const char* limit_;
  const char* cursor_;  // after the current token
  const char* begin_;   // of the token being read
  bool at_end_ = false;
  std::optional<std::uint64_t> form_offset_;

  Token token_;
  std::vector<std::uint64_t> open_;  // offset << 2 | kind - kOpenList
  Error error_;
  bool has_failed_ = false;
};

inline TokenKind Scanner::next() {
  const TokenKind kind = lex();
  return kind < TokenKind::kDiscard ? kind : pass_prefixes();
}

}  // namespace elapid::edn
