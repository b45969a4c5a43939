#include "adapter/watch/parsed_lines.h"

#include <algorithm>
#include <utility>

namespace elapid {

void LineParser::parse(ParsedLine& parsed) {
  parsed.is_misfit = false;
  parsed.kind = reader_.read(parsed.line, txn_);
  if (parsed.kind && parsed.kind.value() == StreamLine::kHeader) {
    parsed.header = reader_.header();
    if (Status status = intake_.take(parsed.header); !status.ok()) {
      parsed.kind = std::move(status.error());
    }
  }
  if (parsed.kind && parsed.kind.value() == StreamLine::kTransaction) {
    if (Status status = intake_.take(txn_, parsed.txn); !status.ok()) {
      parsed.is_misfit = true;
      parsed.kind = std::move(status.error());
    }
  }
  parsed.workload = intake_.workload();
  parsed.initial = intake_.initial();
}

void LineBatch::fill(const Lines& lines, StreamPieces& pieces, LineParser& parser) {
  text_ = lines.text;
  joined_.clear();
  has_ended = lines.has_ended;
  error.reset();
  count_ = 0;
  std::uint64_t number = lines.first_line;
  const auto take_all = [&] {
    while (auto piece = pieces.next()) {
      take(*std::move(piece), parser);
    }
  };
  for (std::string_view rest = text_; !rest.empty(); ++number) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    pieces.add(line, number);
    take_all();
  }
  if (has_ended) {
    pieces.finish();
    take_all();
  }
}

void LineBatch::take(StreamPiece piece, LineParser& parser) {
  if (count_ == lines_.size()) {
    lines_.emplace_back();
  }
  ParsedLine& parsed = lines_[count_++];
  parsed.number = piece.line;
  if (piece.error) {
    parsed.line = {};
    parsed.is_misfit = false;
    parsed.workload.reset();
    parsed.kind = *std::move(piece.error);
    return;
  }
  parsed.line = piece.is_joined ? joined_.emplace_back(piece.text) : piece.text;
  parser.parse(parsed);
}

ParsedLines::ParsedLines(LineSource& source, Intake& intake, const AtomTable& atoms,
                         std::string header, std::string_view follow)
    : source_(source), intake_(intake), atoms_(atoms), header_(std::move(header)), follow_(follow) {
  for (std::size_t i = 0; i < kBatches; ++i) {
    empty_.push_back(std::make_unique<LineBatch>());
  }
  thread_ = Thread([this](const std::stop_token& stop) { run(stop); },
                   [this](Error error) { end(std::move(error)); });
}

/// The error comes after the lines that were read before.
void ParsedLines::end(Error error) {
  const std::lock_guard lock(mutex_);
  broken_->error = std::move(error);
  has_changed_.notify_all();
}

void ParsedLines::run(const std::stop_token& stop) {
  constexpr std::chrono::milliseconds kPatience(50);
  StreamPieces pieces(!source_.has_several_writers(), LineSource::kLongestLine);
  LineParser parser(intake_, header_, follow_);
  for (bool goes_on = true; goes_on && !stop.stop_requested();) {
    const Result<Lines> lines = source_.next(kPatience);
    std::optional<std::string> notice = source_.take_notice();
    if (lines && lines.value().text.empty() && !lines.value().has_ended && !notice) {
      continue;
    }
    std::unique_lock lock(mutex_);
    if (!has_changed_.wait(lock, stop, [&] { return !empty_.empty(); })) {
      return;
    }
    std::unique_ptr<LineBatch> batch = std::move(empty_.front());
    empty_.pop_front();
    lock.unlock();
    batch->fill(lines ? lines.value() : Lines(), pieces, parser);
    batch->atoms = atoms_.extent();
    batch->notice = std::move(notice);
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
  const auto is_broken = [&] { return broken_ && broken_->error; };
  if (has_changed_.wait_for(lock, patience, [&] { return !full_.empty() || is_broken(); })) {
    if (full_.empty()) {
      current_ = std::move(broken_);
    } else {
      current_ = std::move(full_.front());
      full_.pop_front();
    }
  }
  return current_.get();
}

}  // namespace elapid
