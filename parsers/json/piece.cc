#include "parsers/json/piece.h"

#include <algorithm>
#include <span>

#include "parsers/bytes/byte_source.h"
#include "parsers/json/input.h"
#include "parsers/json/value_parser.h"

namespace elapid::json {

namespace {

/// The text, as a source whose reread() uses offsets of the whole input.
class Piece : public ByteSource {
 public:
  Piece(std::string_view text, std::uint64_t offset)
      : ByteSource({}), text_(text), offset_(offset) {}

  Result<std::size_t> read(std::span<char> into) override { return reread(offset_, into); }

  Result<std::size_t> reread(std::uint64_t offset, std::span<char> into) override {
    const std::uint64_t passed = std::min<std::uint64_t>(offset - offset_, text_.size());
    return text_.substr(passed).copy(into.data(), into.size());
  }

  Status rewind() override { return {}; }

  [[nodiscard]] std::uint64_t total() const override { return text_.size(); }

  [[nodiscard]] std::uint64_t consumed() const override { return 0; }

 private:
  std::string_view text_;
  std::uint64_t offset_;
};

}  // namespace

Result<std::size_t> parse_piece(std::string_view text, std::uint64_t offset, Document& document) {
  Piece piece(text, offset);
  Input input(piece, offset);
  input.skip_space();
  ELAPID_RETURN_IF_ERROR(parse_value(input, document));
  return static_cast<std::size_t>(input.offset() - offset);
}

}  // namespace elapid::json
