#include <string>
#include <string_view>
#include <utility>

#include "parsers/edn/scanner.h"
#include "parsers/edn/value_text.h"
#include "parsers/jepsen/edn_format.h"

namespace elapid {

using edn::TokenKind;

namespace {

/// The bytes of another source from an offset on, read through reread().
class Tail : public ByteSource {
 public:
  Tail(ByteSource& whole, std::uint64_t offset)
      : ByteSource(whole.name()), whole_(whole), begin_(offset), next_(offset) {}

  Result<std::size_t> read(std::span<char> into) override {
    Result<std::size_t> count = whole_.reread(next_, into);
    next_ += count ? count.value() : 0;
    return count;
  }

  Result<std::size_t> reread(std::uint64_t offset, std::span<char> into) override {
    return whole_.reread(begin_ + offset, into);
  }

  Status rewind() override {
    next_ = begin_;
    return {};
  }

  [[nodiscard]] std::uint64_t total() const override { return 0; }

  [[nodiscard]] std::uint64_t consumed() const override { return next_ - begin_; }

 private:
  ByteSource& whole_;
  std::uint64_t begin_;
  std::uint64_t next_;
};

/// Whether the history itself keeps the value of this key.
bool is_kept(std::string_view key) {
  return key == ":index" || key == ":time" || key == ":type" || key == ":process";
}

Status read_entry(edn::Scanner& scanner, bool with_value, EventDetails& details) {
  std::string key;
  ELAPID_RETURN_IF_ERROR(append_form(scanner, edn::TextStyle::kPrinted, key));
  scanner.next();
  const bool is_value = key == ":value";
  if (is_kept(key) || (is_value && !with_value)) {
    return scanner.skip() ? Status() : Status(scanner.error());
  }
  const std::size_t depth = 1;  // inside the map
  const edn::TextStyle style = is_value ? edn::TextStyle::kCanonical : edn::TextStyle::kPrinted;
  std::string value;
  if (Status status = append_form(scanner, style, value); !status.ok()) {
    value = is_value ? "" : "...";
    if (!scanner.skip_out_to(depth)) {
      return status;
    }
  }
  if (is_value) {
    details.value = std::move(value);
    return {};
  }
  if (key == ":f") {
    details.f = std::move(value);
    return {};
  }
  details.extras.emplace_back(std::move(key), std::move(value));
  return {};
}

Status read_map(edn::Scanner& scanner, bool with_value, EventDetails& details) {
  if (scanner.next() == TokenKind::kTag) {
    scanner.next();
  }
  if (scanner.token().kind != TokenKind::kOpenMap) {
    return malformed_at(scanner.token().offset,
                        "expected an operation map, found " + describe(scanner.token()));
  }
  while (scanner.next() != TokenKind::kCloseBrace) {
    ELAPID_RETURN_IF_ERROR(read_entry(scanner, with_value, details));
  }
  return {};
}

}  // namespace

Result<EventDetails> read_edn_event_details(ByteSource& source, std::uint64_t offset,
                                            bool with_value) {
  constexpr std::size_t kSmallWindow = 4096;
  Tail tail(source, offset);
  edn::Scanner scanner(tail, offset, kSmallWindow);
  EventDetails details{.f = "nil", .extras = {}};
  if (Status status = read_map(scanner, with_value, details); !status.ok()) {
    return source.located(std::move(status.error()));
  }
  return details;
}

}  // namespace elapid
