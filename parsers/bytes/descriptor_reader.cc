#include <algorithm>
#include <atomic>
#include <utility>

#include "parsers/bytes/forward_reader.h"

namespace elapid {

namespace {

class DescriptorReader : public ForwardReader {
 public:
  DescriptorReader(std::string name, FileDescriptor fd, std::string head)
      : name_(std::move(name)), fd_(std::move(fd)), head_(std::move(head)) {}

  Result<std::size_t> read(std::span<char> into) override {
    if (consumed_ < head_.size()) {
      const std::size_t count = head_.copy(into.data(), into.size(), consumed_);
      consumed_ += count;
      return count;
    }
    ELAPID_RETURN_IF_ERROR(fd_.wait(name_));
    Result<std::size_t> count = fd_.read(into, name_);
    consumed_ += count ? count.value() : 0;
    return count;
  }

  [[nodiscard]] std::uint64_t consumed() const override { return consumed_; }

 private:
  std::string name_;
  FileDescriptor fd_;
  std::string head_;
  std::atomic<std::size_t> consumed_ = 0;  // atomic: another thread shows the progress
};

}  // namespace

std::unique_ptr<ForwardReader> descriptor_reader(std::string name, FileDescriptor fd,
                                                 std::string head) {
  return std::make_unique<DescriptorReader>(std::move(name), std::move(fd), std::move(head));
}

}  // namespace elapid
