#include "parsers/edn/scanner.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace elapid::edn {

namespace {

constexpr bool is_metadata(TokenKind kind) {
  return kind == TokenKind::kKeyword || kind == TokenKind::kSymbol || kind == TokenKind::kString ||
         kind == TokenKind::kOpenMap;
}

constexpr bool can_have_metadata(TokenKind kind) {
  return is_open(kind) || kind == TokenKind::kSymbol || kind == TokenKind::kTag;
}

}  // namespace

Scanner::Scanner(ByteSource& source, std::uint64_t offset, std::size_t window_bytes)
    : source_(&source),
      window_(window_bytes + 1 + kWordPadding),
      capacity_(window_bytes),
      window_begin_(window_.get()),
      window_offset_(offset),
      limit_(window_.get()),
      cursor_(window_.get()),
      begin_(window_.get()) {
  std::memset(window_.get(), 0, 1 + kWordPadding);
}

Scanner::Scanner(std::string_view text, std::uint64_t offset)
    : source_(nullptr),
      window_(1),
      capacity_(0),
      window_begin_(text.data()),
      window_offset_(offset),
      limit_(text.data() + text.size()),
      cursor_(text.data()),
      begin_(text.data()),
      at_end_(true) {}

TokenKind Scanner::fail(std::uint64_t offset, std::string message) {
  if (!has_failed_) {
    has_failed_ = true;
    error_ = malformed_at(offset, std::move(message));
  }
  cursor_ = begin_ = limit_;
  at_end_ = true;
  token_ = {TokenKind::kError, offset, {}, 0};
  return TokenKind::kError;
}

/// Skips discarded forms and metadata. The current token is their first mark.
TokenKind Scanner::pass_prefixes() {
  bool has_metadata = false;
  while (token_.kind == TokenKind::kDiscard || token_.kind == TokenKind::kMetadata) {
    const bool is_discard = token_.kind == TokenKind::kDiscard;
    const std::uint64_t offset = token_.offset;
    const TokenKind skipped = skip_forms(1);
    if (skipped == TokenKind::kError || (skipped == TokenKind::kEnd && is_discard)) {
      return skipped;
    }
    if (!is_discard && !is_metadata(skipped)) {
      return fail(offset, "expected a keyword, symbol, string or map as metadata");
    }
    has_metadata |= !is_discard;
    lex();
  }
  if (has_metadata && token_.kind != TokenKind::kError && !can_have_metadata(token_.kind)) {
    return fail(token_.offset, "expected a form that can have metadata, found " + describe(token_));
  }
  return token_.kind;
}

/// Skips the next `count` forms. Returns the first token of the last one, kEnd if the input ends
/// before it at the top level, or kError.
TokenKind Scanner::skip_forms(std::uint64_t count) {
  const std::size_t base = open_.size();
  bool needs_form = true;  // the last token was a mark or a tag
  TokenKind first = TokenKind::kEnd;
  while (count > 0) {
    const std::size_t depth = open_.size();
    const TokenKind kind = lex();
    if (kind == TokenKind::kError || kind == TokenKind::kEnd) {
      return kind;
    }
    if (is_close(kind) && (needs_form || depth == base)) {
      return fail(token_.offset, "expected a form, found " + describe(token_));
    }
    needs_form =
        kind == TokenKind::kTag || kind == TokenKind::kDiscard || kind == TokenKind::kMetadata;
    if (depth == base && !needs_form) {
      first = kind;
    }
    if (open_.size() == base && kind != TokenKind::kTag) {
      count = needs_form ? count + 1 : count - 1;  // `#_ a` and `^m` require another form
    }
  }
  return first;
}

bool Scanner::skip() {
  if (token_.kind == TokenKind::kTag) {
    const std::uint64_t offset = token_.offset;
    const TokenKind kind = skip_forms(1);
    if (kind == TokenKind::kEnd) {
      fail(offset, "expected a form behind this tag, found the end of the input");
    }
    return !has_failed_;
  }
  return is_open(token_.kind) ? skip_out_to(open_.size() - 1) : !has_failed_;
}

bool Scanner::skip_out_to(std::size_t depth) {
  while (open_.size() > depth) {
    if (lex() == TokenKind::kError) {
      return false;
    }
  }
  return !has_failed_;
}

bool Scanner::skip_byte_order_mark() {
  constexpr std::string_view kMark = "\xef\xbb\xbf";
  const char* at = cursor_;
  ensure(at, kMark.size());
  cursor_ = at;
  if (!std::string_view(at, static_cast<std::size_t>(limit_ - at)).starts_with(kMark)) {
    return false;
  }
  cursor_ += kMark.size();
  return true;
}

/// Reads more bytes behind limit_. Bytes between begin_ and limit_ are kept, and `at` moves with
/// them. False at the end of the input or after an error.
bool Scanner::more(const char*& at) {
  if (at_end_) {
    return false;
  }
  if (is_too_long()) {
    at = limit_;
    return false;
  }
  const auto kept = static_cast<std::size_t>(limit_ - begin_);
  const auto done = static_cast<std::size_t>(at - begin_);
  window_offset_ = offset_of(begin_);
  std::memmove(window_.get(), begin_, kept);
  if (kept > capacity_ / 2) {
    // The limit of length bounds the window, since longer text is refused.
    const std::size_t enough = std::max<std::size_t>(capacity_, source_->line_limit().bytes + 1);
    capacity_ = std::min(grown(capacity_) + 1, enough);
    window_.resize(capacity_ + 1 + kWordPadding);
  }
  char* const behind = window_.get() + kept;
  Result<std::size_t> count = source_->read({behind, capacity_ - kept});
  const std::size_t added = count ? count.value() : 0;
  std::memset(behind + added, 0, 1 + kWordPadding);
  begin_ = window_begin_ = window_.get();
  limit_ = behind + added;
  at = begin_ + done;
  at_end_ = added == 0;
  if (!count) {
    const std::uint64_t end = offset_of(limit_);
    error_ = std::move(count.error());
    has_failed_ = true;
    fail(end, {});
    at = limit_;
  }
  return added > 0;
}

/// Whether the current form or token is longer than allowed, which ends the scan.
bool Scanner::is_too_long() {
  const std::uint64_t end = offset_of(limit_);
  const LineLimit& limit = source_->line_limit();
  const std::uint64_t begin = form_offset_.value_or(offset_of(begin_));
  if (end - begin <= limit.bytes) {
    return false;
  }
  Error error = too_long_at(begin, form_offset_ ? "an operation" : "a form", limit);
  fail(begin, std::move(error.message));
  return true;
}

/// Makes `count` bytes available at `at`, if the input has them.
bool Scanner::ensure(const char*& at, std::size_t count) {
  while (static_cast<std::size_t>(limit_ - at) < count) {
    if (!more(at)) {
      return false;
    }
  }
  return true;
}

}  // namespace elapid::edn
