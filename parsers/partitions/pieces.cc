#include "parsers/partitions/pieces.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "parsers/format.h"
#include "parsers/read.h"

namespace elapid {

namespace {

Error not_in_pieces(std::string why) {
  return {.kind = ErrorKind::kMalformed, .message = std::move(why)};
}

constexpr std::array kBothEnds = {EventKind::kInvocation, EventKind::kCompletion};

/// Joins the lines to a text, and notes where each one begins in it.
std::string put_in_front(std::vector<LooseLine>& lines) {
  std::string text;
  for (LooseLine& line : lines) {
    line.in_piece = text.size();
    text += line.text;
  }
  return text;
}

bool has_event(const History& history, TxnId txn, EventKind kind) {
  return kind == EventKind::kInvocation ? history.has_invocation(txn) : history.has_completion(txn);
}

/// Whether the history has no write. Writes show what operations mean, so a history of reads is
/// recognised only at its end.
bool only_reads(const History& history) {
  return std::ranges::all_of(history.all_ops(), [](Op op) { return op.is_read(); });
}

}  // namespace

std::uint64_t Piece::place(std::uint64_t in_piece) const {
  if (in_piece >= carried_bytes_) {
    return begin_ + in_piece - carried_bytes_;
  }
  const auto line =
      std::prev(std::ranges::upper_bound(carried_, in_piece, {}, &LooseLine::in_piece));
  return line->offset + in_piece - line->in_piece;
}

std::optional<std::uint64_t> Piece::offset(std::uint64_t in_piece) const {
  return in_piece < carried_bytes_ ? std::nullopt : std::optional(place(in_piece));
}

PlacedEvent Piece::event(TxnId txn, EventKind kind) const {
  const Event event = history_->event(txn, kind);
  const std::uint32_t id = event.id.value;
  const auto count = static_cast<std::uint32_t>(carried_.size());
  const std::uint32_t number = id < count ? carried_[id].number : first_number_ + (id - count);
  return {.number = number,
          .index = is_indexed_ ? event.index : number,
          .time = event.time,
          .offset = place(event.position.offset)};
}

Result<std::string> LineCutter::next() {
  std::string text = std::move(rest_);
  while (!is_at_end_) {
    const std::size_t end = text.size() < piece_bytes_ ? std::string::npos : text.rfind('\n');
    if (end != std::string::npos) {
      rest_ = text.substr(end + 1);
      text.resize(end + 1);
      return text;
    }
    constexpr std::size_t kBlock = std::size_t{1} << 20;
    const std::size_t size = text.size();
    text.resize(size + std::min<std::size_t>(kBlock, std::max<std::size_t>(piece_bytes_, 1)));
    const Result<std::size_t> count = source_.read(std::span(text).subspan(size));
    if (!count) {
      return count.error();
    }
    text.resize(size + count.value());
    is_at_end_ = count.value() == 0;
  }
  rest_.clear();
  return text;
}

Result<std::shared_ptr<const History>> PieceReader::read(std::string text) {
  auto source = memory_source(source_.name(), std::move(text));
  source->set_line_limit(source_.line_limit());
  if (detection_.format.format == nullptr) {
    Result<std::vector<LoadedHistory>> first = read_histories(std::move(source), options_);
    if (!first) {
      return std::move(first.error());
    }
    if (first.value().size() != 1 || !first.value().front().key().empty()) {
      return not_in_pieces(std::string(kSeveralHistories));
    }
    const auto loaded = std::make_shared<const LoadedHistory>(std::move(first.value().front()));
    const std::shared_ptr<const History> history(loaded, &loaded->history());
    detection_ = {loaded->format(), loaded->format_reason(), {}};
    if (!detection_.format.format->grows_by_lines || history->info().is_session_trace) {
      return not_in_pieces("its format has no line for each event");
    }
    options_.format = detection_.format;
    options_.workload = history->workload();
    return history;
  }
  Sources sources(std::move(source));
  Result<History> history =
      detection_.format.format->read(sources, detection_.format.dialect, options_);
  return history ? Result<std::shared_ptr<const History>>(
                       std::make_shared<const History>(std::move(history).value()))
                 : Result<std::shared_ptr<const History>>(std::move(history.error()));
}

Result<std::optional<Piece>> PieceReader::next() {
  if (has_given_last_) {
    return std::optional<Piece>();
  }
  Result<std::string> lines = lines_.next();
  if (!lines) {
    return std::move(lines.error());
  }
  std::string& body = lines.value();
  Piece piece;
  const bool ends_input = lines_.is_at_end();
  piece.is_last_ = ends_input && !is_range_;
  piece.begin_ = begin_;
  piece.first_number_ = static_cast<std::uint32_t>(events_);
  std::string text = put_in_front(carried_);
  piece.carried_bytes_ = text.size();
  piece.carried_ = carried_;
  text += body;
  const auto count = static_cast<std::uint64_t>(std::ranges::count(body, '\n')) +
                     (body.empty() || body.ends_with('\n') ? 0U : 1U);
  if (text.empty() && (begin_ > 0 || is_range_)) {
    has_given_last_ = true;
    return std::optional<Piece>();
  }
  Result<std::shared_ptr<const History>> history = read(text);
  if (!history) {
    return std::move(history.error());
  }
  piece.history_ = std::move(history).value();
  if (events_ == 0 && !ends_input && !is_range_ && only_reads(piece.history())) {
    lines_.put_back(body);
    detection_ = {};
    options_ = asked_;
    return next();
  }
  if (Status status = check(piece, count); !status) {
    return std::move(status.error());
  }
  piece.is_indexed_ = is_indexed_.value_or(false);
  events_ += count;
  begin_ += body.size();
  has_given_last_ = ends_input;
  carry(piece, text);
  return std::optional<Piece>(std::move(piece));
}

/// Whether the piece has the facts of the whole input: one event a line, numbered like the pieces
/// before.
Status PieceReader::check(const Piece& piece, std::uint64_t lines) {
  const History& history = piece.history();
  if (history.info().event_count != piece.carried_.size() + lines) {
    return not_in_pieces("some line is not one event");
  }
  if (!history.info().has_process && history.txn_count() > 0) {
    return not_in_pieces("its operations have no process");
  }
  if (events_ + lines >= EventId::none().value) {
    return not_in_pieces(std::string(kTooManyEvents));
  }
  bool is_indexed = false;
  std::vector<std::pair<std::uint32_t, std::int64_t>> indices;
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    if (!history.has_invocation(txn) && !begins_inside_) {
      return not_in_pieces("an operation completes without an invocation");
    }
    for (const EventKind kind : kBothEnds) {
      if (has_event(history, txn, kind)) {
        const Event event = history.event(txn, kind);
        is_indexed = is_indexed || event.index != std::int64_t{event.id.value};
        if (event.id.value >= piece.carried_.size()) {
          indices.emplace_back(event.id.value, event.index);
        }
      }
    }
  }
  // In the first piece, indices that count lines equal the line numbers, which shows nothing.
  if (events_ > 0 && !indices.empty()) {
    if (is_indexed_.value_or(is_indexed) != is_indexed) {
      return not_in_pieces("its events are indexed in part");
    }
    is_indexed_ = is_indexed;
  } else if (!is_indexed_ && is_indexed) {
    is_indexed_ = true;
  }
  std::ranges::sort(indices);
  for (const auto& [id, index] : is_indexed ? std::span(indices) : std::span(indices).first(0)) {
    if (last_index_ && index <= *last_index_) {
      return not_in_pieces("its indices do not ascend");
    }
    first_index_ = first_index_.value_or(index);
    last_index_ = index;
  }
  return {};
}

LooseLine PieceReader::loose_line(const Piece& piece, TxnId txn, EventKind kind,
                                  const std::string& text) {
  const History& history = piece.history();
  const std::uint64_t at = history.event(txn, kind).position.offset;
  const std::size_t before = at == 0 ? std::string::npos : text.rfind('\n', at - 1);
  const std::size_t begin = before == std::string::npos ? 0 : before + 1;
  const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
  return {.number = piece.event(txn, kind).number,
          .session = history.session_name(history.session(txn)),
          .offset = piece.place(begin),
          .text = text.substr(begin, end - begin)};
}

/// Keeps the lines of operations that are open at the end of the piece, or that began before the
/// range.
void PieceReader::carry(const Piece& piece, const std::string& text) {
  std::vector<LooseLine> open;
  for (TxnId txn{0}; txn.index() < piece.history().txn_count(); ++txn.value) {
    if (!piece.is_carried(txn)) {
      continue;
    }
    if (piece.history().has_completion(txn)) {
      loose_.push_back(loose_line(piece, txn, EventKind::kCompletion, text));
    } else {
      open.push_back(loose_line(piece, txn, EventKind::kInvocation, text));
    }
  }
  std::ranges::sort(open, {}, &LooseLine::number);
  carried_ = std::move(open);
}

PieceReader::Indices PieceReader::indices() const {
  return {.is_known = is_indexed_.has_value(),
          .is_indexed = is_indexed_.value_or(false),
          .has_any = last_index_.has_value(),
          .first = first_index_.value_or(0),
          .last = last_index_.value_or(0)};
}

Result<std::optional<Piece>> PieceReader::loose_piece(std::vector<LooseLine> lines,
                                                      bool is_indexed) {
  if (lines.empty()) {
    return std::optional<Piece>();
  }
  Piece piece;
  std::string text = put_in_front(lines);
  piece.carried_bytes_ = text.size();
  piece.carried_ = std::move(lines);
  piece.is_indexed_ = is_indexed;
  piece.is_last_ = true;
  Result<std::shared_ptr<const History>> history = read(std::move(text));
  if (!history) {
    return std::move(history.error());
  }
  piece.history_ = std::move(history).value();
  begins_inside_ = false;
  if (Status status = check(piece, 0); !status) {
    return std::move(status.error());
  }
  return std::optional<Piece>(std::move(piece));
}

}  // namespace elapid
