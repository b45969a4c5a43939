#include <zlib.h>

#include <limits>
#include <utility>
#include <vector>

#include "parsers/bytes/forward_reader.h"

namespace elapid {

namespace {

class GzipReader : public ForwardReader {
 public:
  GzipReader(std::string name, std::unique_ptr<ForwardReader> compressed)
      : name_(std::move(name)), compressed_(std::move(compressed)), input_(kChunk) {
    constexpr int kGzipOnly = 16;
    is_ready_ = inflateInit2(&stream_, MAX_WBITS + kGzipOnly) == Z_OK;
  }

  ~GzipReader() override { inflateEnd(&stream_); }

  Result<std::size_t> read(std::span<char> into) override {
    if (!is_ready_) {
      return failure(ErrorKind::kInternal, "zlib cannot be initialised");
    }
    if (into.size() > std::numeric_limits<uInt>::max()) {
      into = into.first(std::numeric_limits<uInt>::max());
    }
    stream_.next_out = as_bytes(into.data());
    stream_.avail_out = static_cast<uInt>(into.size());
    while (stream_.avail_out == into.size()) {
      if (stream_.avail_in == 0) {
        Result<std::size_t> count = refill();
        if (!count) {
          return count;
        }
        if (count.value() == 0) {
          if (in_member_) {
            return failure(ErrorKind::kMalformed, "the gzip data is cut short");
          }
          return std::size_t{0};
        }
      }
      ELAPID_RETURN_IF_ERROR(inflate_some());
    }
    return into.size() - stream_.avail_out;
  }

  [[nodiscard]] std::uint64_t consumed() const override { return compressed_->consumed(); }

 private:
  static constexpr std::size_t kChunk = std::size_t{1} << 18;

  static Bytef* as_bytes(char* data) { return reinterpret_cast<Bytef*>(data); }

  Result<std::size_t> refill() {
    Result<std::size_t> count = compressed_->read(input_);
    if (count) {
      stream_.next_in = as_bytes(input_.data());
      stream_.avail_in = static_cast<uInt>(count.value());
    }
    return count;
  }

  Status inflate_some() {
    if (!in_member_) {
      skip_padding();
      in_member_ = stream_.avail_in > 0;
      return {};
    }
    const int code = inflate(&stream_, Z_NO_FLUSH);
    if (code == Z_STREAM_END) {
      in_member_ = false;
      inflateReset(&stream_);
    } else if (code != Z_OK && code != Z_BUF_ERROR) {
      const char* reason = stream_.msg != nullptr ? stream_.msg : zError(code);
      return failure(ErrorKind::kMalformed, std::string("the gzip data is damaged: ") + reason);
    }
    return {};
  }

  /// Skips zeros between members or after the last one, as gzip does.
  void skip_padding() {
    while (stream_.avail_in > 0 && *stream_.next_in == 0) {
      ++stream_.next_in;
      --stream_.avail_in;
    }
  }

  [[nodiscard]] Error failure(ErrorKind kind, std::string message) const {
    return {.kind = kind, .message = std::move(message), .file = name_};
  }

  std::string name_;
  std::unique_ptr<ForwardReader> compressed_;
  std::vector<char> input_;
  z_stream stream_ = {};
  bool is_ready_ = false;
  bool in_member_ = true;
};

}  // namespace

std::unique_ptr<ForwardReader> gzip_reader(std::string name,
                                           std::unique_ptr<ForwardReader> compressed) {
  return std::make_unique<GzipReader>(std::move(name), std::move(compressed));
}

}  // namespace elapid
