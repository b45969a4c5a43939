#include "adapter/watch/parsed_lines.h"

#include <algorithm>
#include <utility>

namespace elapid {

void LineBatch::fill(const Lines& lines, StreamLineReader& reader) {
  text_ = lines.text;
  first_line = lines.first_line;
  has_ended = lines.has_ended;
  error.reset();
  count_ = 0;
  for (std::string_view rest = text_; !rest.empty();) {
    if (count_ == lines_.size()) {
      lines_.emplace_back();
    }
    ParsedLine& parsed = lines_[count_++];
    parsed.line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), parsed.line.size() + 1));
    parsed.kind = reader.read(parsed.line, parsed.txn);
    if (parsed.kind && parsed.kind.value() == StreamLine::kHeader) {
      parsed.header = reader.header();
    }
  }
}

ParsedLines::ParsedLines(LineSource& source, std::string header)
    : source_(source), header_(std::move(header)) {
  for (std::size_t i = 0; i < kBatches; ++i) {
    empty_.push_back(std::make_unique<LineBatch>());
  }
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

void ParsedLines::run(const std::stop_token& stop) {
  constexpr std::chrono::milliseconds kPatience(50);
  StreamLineReader reader;
  StreamTxn unused;
  (void)reader.read(header_, unused);
  for (bool goes_on = true; goes_on && !stop.stop_requested();) {
    const Result<Lines> lines = source_.next(kPatience);
    if (lines && lines.value().text.empty() && !lines.value().has_ended) {
      continue;
    }
    std::unique_lock lock(mutex_);
    if (!has_changed_.wait(lock, stop, [&] { return !empty_.empty(); })) {
      return;
    }
    std::unique_ptr<LineBatch> batch = std::move(empty_.front());
    empty_.pop_front();
    lock.unlock();
    batch->fill(lines ? lines.value() : Lines(), reader);
    if (!lines) {
      batch->error = lines.error();
    }
    goes_on = !batch->has_ended && (lines || lines.error().kind == ErrorKind::kMalformed);
    lock.lock();
    full_.push_back(std::move(batch));
    has_changed_.notify_all();
  }
}

LineBatch* ParsedLines::next(std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  if (current_) {
    empty_.push_back(std::move(current_));
    has_changed_.notify_all();
  }
  if (has_changed_.wait_for(lock, patience, [&] { return !full_.empty(); })) {
    current_ = std::move(full_.front());
    full_.pop_front();
  }
  return current_.get();
}

}  // namespace elapid
