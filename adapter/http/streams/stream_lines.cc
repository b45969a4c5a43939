#include "adapter/http/streams/stream_lines.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "parsers/lines/line_buffer.h"
#include "parsers/lines/line_source.h"
#include "parsers/stream/stream_pieces.h"

namespace elapid::http {
namespace {

constexpr std::size_t kCutPiece = std::size_t{256} << 10;
constexpr std::string_view kBlank = " \t\r\n";
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

class LineCutter {
 public:
  explicit LineCutter(std::uint64_t most) : most_(most) {}

  Result<StreamLines> cut(ByteSource& source) {
    LineBuffer buffer(LineSource::kLongestLine);
    for (bool has_ended = false; !has_ended;) {
      ELAPID_ASSIGN_OR_RETURN(const std::size_t count,
                              source.read(buffer.room(kCutPiece).first(kCutPiece)));
      buffer.add(count);
      has_ended = count == 0;
      Status status = take(buffer.take_lines());
      if (status.ok() && has_ended) {
        status = take(buffer.take_rest());
      }
      if (status.ok() && has_ended) {
        pieces_.finish();
        status = take_pieces();
      }
      if (status.ok() && buffer.take_overflow()) {
        status = Error{.message = "expected a line of no more than " +
                                  std::to_string(LineSource::kLongestLine) +
                                  " bytes, found a longer one",
                       .line = number_ + 1};
      }
      status = status.ok() ? write(has_ended ? 1 : kCutPiece) : status;
      ELAPID_RETURN_IF_ERROR(status);
    }
    return std::move(lines_);
  }

 private:
  Status take(std::string_view text) {
    while (!text.empty()) {
      const std::string_view line = text.substr(0, text.find('\n'));
      text.remove_prefix(std::min(text.size(), line.size() + 1));
      pieces_.add(line, ++number_);
      ELAPID_RETURN_IF_ERROR(take_pieces());
    }
    return {};
  }

  Status take_pieces() {
    while (auto piece = pieces_.next()) {
      if (piece->error) {
        piece->error->line = piece->line;
        return std::move(*piece->error);
      }
      add(piece->text);
    }
    return lines_.text.size() + text_.size() <= most_
               ? Status()
               : Status(usage_error("expected no more than " + std::to_string(most_) +
                                    " bytes of transactions, found more"));
  }

  void add(std::string_view line) {
    if (lines_.count == 0 && line.starts_with(kByteOrderMark)) {
      line.remove_prefix(kByteOrderMark.size());
    }
    if (line.find_first_not_of(kBlank) != std::string_view::npos) {
      text_.append(line) += '\n';
      ++lines_.count;
    }
  }

  /// Writes the text once it has at least so many bytes.
  Status write(std::size_t least) {
    if (text_.size() < least) {
      return {};
    }
    Status status = lines_.text.append(text_);
    text_.clear();
    return status;
  }

  std::uint64_t most_;
  StreamPieces pieces_ = StreamPieces(true, LineSource::kLongestLine);
  StreamLines lines_;
  std::string text_ = {};  // lines not yet in the file
  std::uint64_t number_ = 0;
};

}  // namespace

Result<StreamLines> cut_into_lines(ByteSource& source, std::uint64_t most) {
  return LineCutter(most).cut(source);
}

}  // namespace elapid::http
