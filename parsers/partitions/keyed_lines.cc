#include "parsers/partitions/keyed_lines.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <new>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/ir/seeded_hash.h"
#include "engine/workloads/clues.h"
#include "parsers/bytes/sources.h"
#include "parsers/detect.h"
#include "parsers/format.h"
#include "parsers/partitions/pass.h"
#include "parsers/partitions/pieces.h"
#include "parsers/partitions/segment.h"

namespace elapid {

namespace {

using Parts = std::vector<IndependentHistory>;

constexpr std::array kEnds = {EventKind::kInvocation, EventKind::kCompletion};

/// The head of each line in a partition: the number of input lines before it, and its length.
struct LineHead {
  std::uint64_t number = 0;
  std::uint64_t length = 0;
};

/// Some lines of an input. The other lines are empty, so that line numbers do not change. Memory:
/// these lines, and 24 bytes for each.
class SparseLines : public ByteSource {
 public:
  /// `bytes`: lines with their heads.
  SparseLines(std::string name, std::string bytes)
      : ByteSource(std::move(name)), bytes_(std::move(bytes)) {
    std::uint64_t newlines = 0;
    for (std::uint64_t from = 0; from < bytes_.size();) {
      LineHead head;
      std::memcpy(&head, bytes_.data() + from, sizeof head);
      from += sizeof head;
      size_ += head.number - newlines;
      lines_.push_back({size_, from, head.length});
      size_ += head.length;
      newlines = head.number + 1;
      from += head.length;
    }
  }

  Result<std::size_t> read(std::span<char> into) override {
    Result<std::size_t> count = reread(at_, into);
    at_ += count.value();
    return count;
  }

  Result<std::size_t> reread(std::uint64_t offset, std::span<char> into) override {
    const std::size_t wanted =
        std::min<std::uint64_t>(into.size(), size_ - std::min(offset, size_));
    std::size_t count = 0;
    auto line = std::ranges::upper_bound(lines_, offset, {}, &Line::begin);
    line -= line == lines_.begin() ? 0 : 1;
    while (count < wanted) {
      const std::uint64_t at = offset + count;
      line += line != lines_.end() && at >= line->begin + line->length ? 1 : 0;
      const bool is_gap = at < line->begin;
      const std::uint64_t end = is_gap ? line->begin : line->begin + line->length;
      const std::size_t length = std::min<std::uint64_t>(wanted - count, end - at);
      if (is_gap) {
        std::memset(into.data() + count, '\n', length);
      } else {
        std::memcpy(into.data() + count, bytes_.data() + line->from + (at - line->begin), length);
      }
      count += length;
    }
    return count;
  }

  Status rewind() override {
    at_ = 0;
    return {};
  }

  [[nodiscard]] std::uint64_t total() const override { return size_; }

  [[nodiscard]] std::uint64_t consumed() const override { return at_; }

 private:
  struct Line {
    std::uint64_t begin = 0;
    std::uint64_t from = 0;  // in the bytes
    std::uint64_t length = 0;
  };

  std::string bytes_;
  std::vector<Line> lines_;
  std::uint64_t size_ = 0;
  std::uint64_t at_ = 0;
};

/// The beginning of the line that contains this byte.
std::uint64_t line_begin(std::string_view text, std::uint64_t at) {
  const std::size_t before = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
  return before == std::string_view::npos ? 0 : before + 1;
}

class KeyedLines {
 public:
  KeyedLines(ByteSource& source, const ScatterOptions& options, unsigned partitions,
             const std::function<Status(KeyedHistory)>& visit)
      : source_(source),
        options_(options),
        visit_(visit),
        read_(options.read),
        cutter_(source, options.piece_bytes) {
    for (unsigned p = 0; p < partitions; ++p) {
      partitions_.emplace_back(options.scratch);
    }
    has_keys_.resize(partitions);
  }

  Result<std::string> run() {
    Status status;
    try {
      status = begin();
      status = status && why_not_.empty() ? scatter() : status;
      status = status && why_not_.empty() ? visit_partitions() : status;
    } catch (const std::bad_alloc&) {
      why_not_ = "the keys of one of " + std::to_string(partitions_.size()) +
                 " partitions take more memory";
    }
    if (status && !why_not_.empty()) {
      partitions_.clear();
      status = source_.rewind();
    }
    return status ? Result<std::string>(why_not_) : Result<std::string>(status.error());
  }

 private:
  /// Reads the beginning, which shows the format and whether values are tuples.
  Status begin() {
    Result<std::string> lines = cutter_.next();
    if (!lines) {
      return lines.error();
    }
    piece_ = std::move(lines).value();
    Result<std::vector<LoadedHistory>> all = read_histories(memory(piece_), options_.read);
    if (!all || all.value().empty() || all.value().front().key().empty()) {
      why_not_ = kNoKeys;
      return {};
    }
    return learn_from(all.value().front());
  }

  Status learn_from(LoadedHistory& first) {
    const Format& format = *first.format().format;
    if (!format.grows_by_lines || format.tells_workload == nullptr ||
        first.history().info().is_session_trace) {
      why_not_ = "its format has no line for each event";
      return {};
    }
    detection_ = {first.format(), first.format_reason(), {}};
    if (!read_.independent) {
      Sources sources(memory(piece_));
      const Result<TupleSign> sign = format.finds_tuples(sources, detection_.format.dialect, read_);
      if (!sign) {
        return sign.error();
      }
      read_.tuples_because = sign.value().because;
    }
    read_.independent = true;
    told_.is_certain = read_.workload.has_value();
    told_.workload = read_.workload.value_or(told_.workload);
    const Event event = first.history().representative({0});
    const std::uint64_t begin = line_begin(piece_, event.position.offset);
    known_line_ = piece_.substr(begin, piece_.find('\n', begin) - begin) + "\n";
    return {};
  }

  Status scatter() {
    const Pass pass(options_.progress, "sorting lines by key");
    while (!piece_.empty() && why_not_.empty()) {
      if (Status status = scatter_piece(); !status) {
        return status;
      }
      if (!pass.at(source_.consumed(), source_.total())) {
        return Pass::stopped();
      }
      Result<std::string> lines = cutter_.next();
      if (!lines) {
        return lines.error();
      }
      piece_ = std::move(lines).value();
    }
    if (why_not_.empty() && !options_.read.independent && !has_single_operations()) {
      why_not_ = "its operations are transactions";
    }
    Status status;
    for (ScratchFile& partition : partitions_) {
      status = status ? partition.flush() : status;
    }
    return status;
  }

  /// Whether operations are single ones. Only in these are tuples assumed without an option: see
  /// read_histories().
  [[nodiscard]] bool has_single_operations() const {
    return told_.workload.has_objects() || !told_.workload.has_transactions();
  }

  /// Infers the workload from all operations so far. Some workloads show only at the last one.
  Status tell_workload() {
    Sources sources(memory(piece_));
    Result<ToldWorkload> told =
        detection_.format.format->tells_workload(sources, detection_.format.dialect, read_, clues_);
    if (!told) {
      return told.error();
    }
    told_ = std::move(told).value();
    return {};
  }

  /// Sends the lines of a piece to the partitions of their keys. Lines of a nemesis go to all keys.
  Status scatter_piece() {
    if (Status status = told_.is_certain ? Status() : tell_workload(); !status) {
      return status;
    }
    std::unordered_map<std::uint64_t, std::size_t> partition_of;  // by where the line begins
    std::uint64_t others = 0;
    if (!place_lines(partition_of, others)) {
      return {};
    }
    std::string_view rest = piece_;
    while (!rest.empty()) {
      const std::string_view line = rest.substr(0, std::min(rest.find('\n'), rest.size() - 1) + 1);
      const std::uint64_t begin = piece_.size() - rest.size();
      const auto placed = partition_of.find(begin);
      const bool is_other = placed == partition_of.end();
      const bool is_blank = line.find_first_not_of(" \t\r\n") == std::string_view::npos;
      others -= is_other && !is_blank ? 1U : 0U;
      for (std::size_t p = 0; p < partitions_.size() && !is_blank; ++p) {
        if (is_other || placed->second == p) {
          if (Status status = write(partitions_[p], line); !status) {
            return status;
          }
        }
      }
      rest.remove_prefix(line.size());
      ++line_;
    }
    why_not_ = others == 0 ? "" : "some line is not one event";
    return {};
  }

  Status write(ScratchFile& partition, std::string_view line) const {
    const bool is_whole = line.ends_with('\n');
    const LineHead head = {line_, line.size() + (is_whole ? 0 : 1)};
    Status status = partition.append(std::span(&head, 1));
    status = status ? partition.append(std::span(line)) : status;
    return status && !is_whole ? partition.append(std::span("\n", 1)) : status;
  }

  /// Finds the partition of each line, and counts the lines that belong to no client. False if some
  /// operation is not one line. Completions come without their invocations here. A known line of an
  /// operation precedes the piece, since the piece may have none. Operations of an unknown workload
  /// are read by name only.
  bool place_lines(std::unordered_map<std::uint64_t, std::size_t>& partition_of,
                   std::uint64_t& others) {
    ReadOptions lenient = read_;
    lenient.for_lint = true;
    lenient.workload = told_.is_certain ? told_.workload : Workload::kOther;
    Sources sources(memory(known_line_ + piece_));
    const Result<Parts> parts =
        detection_.format.format->read_independent(sources, detection_.format.dialect, lenient);
    if (!parts) {
      why_not_ = "a piece of it cannot be read alone";
      return false;
    }
    for (const IndependentHistory& part : parts.value()) {
      const History& history = part.history;
      places_.try_emplace(part.key, places_.size());
      const std::size_t partition = partition_of_key(part.key);
      has_keys_[partition] = true;
      others = history.info().nemesis ? history.info().nemesis->count : 0;
      for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
        for (const EventKind kind : kEnds) {
          const Event event = history.event(txn, kind);
          const std::uint64_t at = event.position.offset;
          if (!event.id.is_none() && at >= known_line_.size() &&
              !partition_of.emplace(line_begin(piece_, at - known_line_.size()), partition)
                   .second) {
            why_not_ = "some line is not one event";
            return false;
          }
        }
      }
    }
    return true;
  }

  Status visit_partitions() {
    const Pass pass(options_.progress, "checking keys");
    for (std::size_t p = 0; p < partitions_.size() && why_not_.empty(); ++p) {
      if (!pass.at(p, partitions_.size())) {
        return Pass::stopped();
      }
      Status status = has_keys_[p] ? visit_partition(p) : Status();
      if (!status) {
        return status;
      }
    }
    return {};
  }

  [[nodiscard]] std::size_t partition_of_key(const std::string& key) const {
    return seeded_hash(key, seed_) % partitions_.size();
  }

  Status visit_partition(std::size_t partition) {
    const SpillFile& file = partitions_[partition].file();
    std::string bytes(file.size(), '\0');
    if (const auto count = file.read_at(0, bytes); !count) {
      return count.error();
    }
    auto lines = std::make_unique<SparseLines>(name_, std::move(bytes));
    lines->set_line_limit(line_limit_);
    const auto input = std::make_shared<LoadedInput>(Sources(std::move(lines)), detection_);
    ReadOptions known = read_;
    known.workload = told_.workload;
    known.workload_because = told_.sentence;
    Result<Parts> parts = detection_.format.format->read_independent(
        input->sources, detection_.format.dialect, known);
    if (!parts) {
      why_not_ = "its keys cannot be read alone";
      return {};
    }
    for (IndependentHistory& part : parts.value()) {
      if (partition_of_key(part.key) != partition) {
        continue;
      }
      const std::size_t place = places_.at(part.key);
      Status status = visit_({LoadedHistory(std::move(part), input), place, places_.size()});
      if (!status) {
        return status;
      }
    }
    return {};
  }

  [[nodiscard]] std::unique_ptr<ByteSource> memory(std::string text) const {
    auto source = memory_source(name_, std::move(text));
    source->set_line_limit(line_limit_);
    return source;
  }

  ByteSource& source_;
  const ScatterOptions& options_;
  const std::function<Status(KeyedHistory)>& visit_;
  std::string name_ = source_.name();
  LineLimit line_limit_ = source_.line_limit();
  ReadOptions read_;  // with what the beginning has shown
  Clues clues_;
  ToldWorkload told_;  // by all pieces so far
  Detection detection_;
  LineCutter cutter_;
  std::string piece_;
  std::string known_line_;  // of an operation
  std::vector<ScratchFile> partitions_;
  std::vector<bool> has_keys_;
  std::unordered_map<std::string, std::size_t> places_;  // by key, in order of first appearance
  HashSeed seed_ = hash_seed();
  std::uint64_t line_ = 0;  // of the input, from 0
  std::string why_not_;
};

}  // namespace

Result<std::string> visit_keys(ByteSource& source, const ScatterOptions& options,
                               unsigned partitions,
                               const std::function<Status(KeyedHistory)>& visit) {
  return KeyedLines(source, options, partitions, visit).run();
}

}  // namespace elapid
