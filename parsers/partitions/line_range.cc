#include "parsers/partitions/line_range.h"

#include <algorithm>
#include <span>
#include <vector>

namespace elapid {

namespace {

constexpr std::size_t kLineBlock = std::size_t{1} << 20;

/// The beginning of the first line that starts at `offset` or later.
Result<std::uint64_t> line_from(ByteSource& source, std::uint64_t offset) {
  std::vector<char> block(kLineBlock);
  for (std::uint64_t at = offset == 0 ? 0 : offset - 1; offset > 0 && at < source.total();) {
    const Result<std::size_t> count = source.reread(at, block);
    if (!count) {
      return count.error();
    }
    const auto read = std::span(block).first(count.value());
    const auto end = std::ranges::find(read, '\n');
    at += static_cast<std::uint64_t>(end - read.begin());
    if (end != read.end() || count.value() == 0) {
      return std::min(at + 1, source.total());
    }
  }
  return offset == 0 ? 0 : source.total();
}

class RangeSource : public ByteSource {
 public:
  RangeSource(ByteSource& whole, const LineRange& range)
      : ByteSource(whole.name()), whole_(whole), range_(range), next_(range.begin) {
    set_line_limit(whole.line_limit());
  }

  Result<std::size_t> read(std::span<char> into) override {
    Result<std::size_t> count = reread(next_ - range_.begin, into);
    next_ += count ? count.value() : 0;
    return count;
  }

  Result<std::size_t> reread(std::uint64_t offset, std::span<char> into) override {
    const std::uint64_t left = range_.end - std::min(range_.end, range_.begin + offset);
    return whole_.reread(range_.begin + offset,
                         into.first(std::min<std::uint64_t>(left, into.size())));
  }

  Status rewind() override {
    next_ = range_.begin;
    return {};
  }

  [[nodiscard]] std::uint64_t total() const override { return range_.end - range_.begin; }

  [[nodiscard]] std::uint64_t consumed() const override { return next_ - range_.begin; }

 private:
  ByteSource& whole_;
  LineRange range_;
  std::uint64_t next_;
};

}  // namespace

bool has_ranges(ByteSource& source) {
  char last = 0;
  const Result<std::size_t> count =
      source.total() > 0 ? source.reread(source.total() - 1, std::span(&last, 1)) : 0;
  return count && count.value() == 1;
}

Result<LineRange> range_of(ByteSource& source, unsigned rank, unsigned count) {
  const auto share = [&](std::uint64_t of) {
    return line_from(source, source.total() / count * of + source.total() % count * of / count);
  };
  const Result<std::uint64_t> begin = share(rank);
  const Result<std::uint64_t> end = share(rank + 1);
  if (!begin || !end) {
    return begin ? end.error() : begin.error();
  }
  LineRange range = {begin.value(), end.value()};
  std::vector<char> block(kLineBlock);
  char last = '\n';
  for (const auto source_of_range = range_source(source, range);;) {
    const Result<std::size_t> read = source_of_range->read(block);
    if (!read) {
      return read.error();
    }
    if (read.value() == 0) {
      range.lines += last == '\n' ? 0U : 1U;
      return range;
    }
    range.lines +=
        static_cast<std::uint64_t>(std::ranges::count(std::span(block).first(read.value()), '\n'));
    last = block[read.value() - 1];
  }
}

std::unique_ptr<ByteSource> range_source(ByteSource& whole, const LineRange& range) {
  return std::make_unique<RangeSource>(whole, range);
}

}  // namespace elapid
