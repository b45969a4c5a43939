#include <zstd.h>

#include <utility>
#include <vector>

#include "parsers/bytes/forward_reader.h"

namespace elapid {

namespace {

class ZstdReader : public ForwardReader {
 public:
  ZstdReader(std::string name, std::unique_ptr<ForwardReader> compressed)
      : name_(std::move(name)),
        compressed_(std::move(compressed)),
        buffer_(ZSTD_DStreamInSize()),
        stream_(ZSTD_createDStream(), &ZSTD_freeDStream) {}

  Result<std::size_t> read(std::span<char> into) override {
    if (stream_ == nullptr) {
      return failure(ErrorKind::kInternal, "libzstd cannot be initialised");
    }
    ZSTD_outBuffer output{into.data(), into.size(), 0};
    while (output.pos == 0 && !into.empty()) {
      if (input_.pos == input_.size && !holds_output_) {
        Result<std::size_t> count = compressed_->read(buffer_);
        if (!count) {
          return count;
        }
        if (count.value() == 0) {
          if (in_frame_) {
            return failure(ErrorKind::kMalformed, "the zstd data is cut short");
          }
          break;
        }
        input_ = {buffer_.data(), count.value(), 0};
      }
      const std::size_t hint = ZSTD_decompressStream(stream_.get(), &output, &input_);
      if (ZSTD_isError(hint) != 0) {
        return failure(ErrorKind::kMalformed,
                       std::string("the zstd data is damaged: ") + ZSTD_getErrorName(hint));
      }
      in_frame_ = hint != 0;
      holds_output_ = in_frame_ && output.pos == output.size;
    }
    return output.pos;
  }

  [[nodiscard]] std::uint64_t consumed() const override { return compressed_->consumed(); }

 private:
  [[nodiscard]] Error failure(ErrorKind kind, std::string message) const {
    return {.kind = kind, .message = std::move(message), .file = name_};
  }

  std::string name_;
  std::unique_ptr<ForwardReader> compressed_;
  std::vector<char> buffer_;
  std::unique_ptr<ZSTD_DStream, decltype(&ZSTD_freeDStream)> stream_;
  ZSTD_inBuffer input_ = {nullptr, 0, 0};
  bool in_frame_ = false;
  bool holds_output_ = false;  // the decoder filled the output and may hold more
};

}  // namespace

std::unique_ptr<ForwardReader> zstd_reader(std::string name,
                                           std::unique_ptr<ForwardReader> compressed) {
  return std::make_unique<ZstdReader>(std::move(name), std::move(compressed));
}

}  // namespace elapid
