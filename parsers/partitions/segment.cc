#include "parsers/partitions/segment.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace elapid {

namespace {

/// The bit that distinguishes texts from inline values: see ValueId.
constexpr std::uint32_t kTextBit = std::uint32_t{1} << 31;

/// Calls `visit` for each column of a segment.
template <class Any, class Visit>
void each_column(Any& segment, Visit visit) {
  visit(segment.texts);
  visit(segment.text_begin);
  visit(segment.keys);
  visit(segment.trunks);
  visit(segment.literals);
  visit(segment.literal_elements);
  visit(segment.txns);
  visit(segment.ops);
}

constexpr std::size_t kColumns = 8;
using Sizes = std::array<std::uint64_t, kColumns>;

Status read_whole(const SpillFile& file, std::uint64_t offset, std::span<char> into) {
  const Result<std::size_t> count = file.read_at(offset, into);
  if (!count) {
    return count.error();
  }
  return count.value() == into.size()
             ? Status()
             : Status(Error{.kind = ErrorKind::kUnreadable,
                            .message = "a temporary file is shorter than it was written"});
}

}  // namespace

std::span<const SegmentOp> Segment::ops_of(std::size_t txn) const {
  const std::size_t end = txn + 1 < txns.size() ? txns[txn + 1].op_begin : ops.size();
  return std::span(ops).subspan(txns[txn].op_begin, end - txns[txn].op_begin);
}

std::span<const std::uint32_t> Segment::trunk_of(std::uint32_t key) const {
  const std::size_t end = key + 1 < keys.size() ? keys[key + 1].trunk_begin : trunks.size();
  return std::span(trunks).subspan(keys[key].trunk_begin, end - keys[key].trunk_begin);
}

std::string Segment::text(std::uint32_t word) const {
  if ((word & kTextBit) == 0) {
    return std::to_string(ValueId::from_bits(word).as_integer());
  }
  const std::size_t place = word & ~kTextBit;
  const std::size_t end = place + 1 < text_begin.size() ? text_begin[place + 1] : texts.size();
  return {texts.data() + text_begin[place], end - text_begin[place]};
}

/// The segment with these keys only. Keys keep their order, and texts stay the same.
Segment Segment::only(const std::vector<bool>& is_kept) const {
  Segment kept;
  std::unordered_map<std::uint32_t, std::uint32_t> texts_kept;
  const auto word = [&](std::uint32_t old) {
    if ((old & kTextBit) == 0) {
      return old;
    }
    const auto [known, is_new] =
        texts_kept.try_emplace(old, static_cast<std::uint32_t>(kept.text_begin.size()));
    if (is_new) {
      kept.text_begin.push_back(static_cast<std::uint32_t>(kept.texts.size()));
      const std::string name = text(old);
      kept.texts.insert(kept.texts.end(), name.begin(), name.end());
    }
    return known->second | kTextBit;
  };
  std::vector<std::uint32_t> key_of(keys.size());
  for (std::uint32_t key = 0; key < keys.size(); ++key) {
    if (is_kept[key]) {
      key_of[key] = static_cast<std::uint32_t>(kept.keys.size());
      kept.keys.push_back({.name = word(keys[key].name),
                           .trunk_begin = static_cast<std::uint32_t>(kept.trunks.size()),
                           .rank = keys[key].rank});
      std::ranges::transform(trunk_of(key), std::back_inserter(kept.trunks), word);
    }
  }
  std::unordered_map<std::uint32_t, std::uint32_t> literals_kept;
  const auto literal = [&](std::uint32_t old) {
    const auto [known, is_new] =
        literals_kept.try_emplace(old, static_cast<std::uint32_t>(kept.literals.size()));
    if (is_new) {
      const SegmentLiteral& place = literals[old];
      kept.literals.push_back(
          {static_cast<std::uint32_t>(kept.literal_elements.size()), place.length});
      std::ranges::transform(std::span(literal_elements).subspan(place.begin, place.length),
                             std::back_inserter(kept.literal_elements), word);
    }
    return ListId::literal(known->second).bits();
  };
  for (std::size_t txn = 0; txn < txns.size(); ++txn) {
    const auto begin = static_cast<std::uint32_t>(kept.ops.size());
    for (const SegmentOp& op : ops_of(txn)) {
      if (is_kept[op.key]) {
        const bool is_list = op.op_kind() == OpKind::kReadList;
        const ListId list = is_list ? ListId::from_bits(op.payload) : ListId();
        const std::uint32_t payload = !is_list           ? word(op.payload)
                                      : list.is_prefix() ? op.payload
                                                         : literal(list.literal_index());
        kept.ops.push_back(
            {.kind = op.kind, .mop = op.mop, .key = key_of[op.key], .payload = payload});
      }
    }
    if (kept.ops.size() > begin) {
      kept.txns.push_back(txns[txn]);
      kept.txns.back().op_begin = begin;
    }
  }
  return kept;
}

void Segment::append_to(Bytes& bytes) const {
  const auto append = [&bytes](const void* from, std::size_t count) {
    const auto* begin = static_cast<const char*>(from);
    bytes.insert(bytes.end(), begin, begin + count);
  };
  Sizes sizes = {};
  std::size_t next = 0;
  each_column(*this, [&](const auto& column) { sizes.at(next++) = column.size(); });
  append(sizes.data(), sizeof sizes);
  each_column(*this, [&](const auto& column) {
    using Entry = typename std::remove_reference_t<decltype(column)>::value_type;
    static_assert(std::is_trivially_copyable_v<Entry>);
    append(column.data(), column.size() * sizeof(Entry));
  });
}

std::uint64_t Segment::bytes() const {
  std::uint64_t count = sizeof(Sizes);
  each_column(*this, [&](const auto& column) { count += column.size() * sizeof column[0]; });
  return count;
}

namespace {

/// Reads a segment; `read(into)` reads the next bytes.
template <class Read>
Result<Segment> read_columns(Read read) {
  Sizes sizes = {};
  Status status = read(std::span(reinterpret_cast<char*>(sizes.data()), sizeof sizes));
  Segment segment;
  std::size_t next = 0;
  each_column(segment, [&](auto& column) {
    if (status.ok()) {
      column.resize(sizes.at(next++));
      status =
          read(std::span(reinterpret_cast<char*>(column.data()), column.size() * sizeof column[0]));
    }
  });
  return status.ok() ? Result<Segment>(std::move(segment)) : Result<Segment>(status.error());
}

}  // namespace

Result<Segment> Segment::read(const SpillFile& file, std::uint64_t& offset) {
  return read_columns([&](std::span<char> into) {
    Status status = read_whole(file, offset, into);
    offset += into.size();
    return status;
  });
}

Segment Segment::read(std::span<const char> bytes, std::uint64_t& offset) {
  return read_columns([&](std::span<char> into) {
           std::ranges::copy(bytes.subspan(offset, into.size()), into.begin());
           offset += into.size();
           return Status();
         })
      .value();
}

Status ScratchFile::flush() {
  Status status = buffer_.empty() ? Status() : file_.append(buffer_);
  buffer_.clear();
  return status;
}

std::uint32_t SegmentWriter::word(ValueId value) {
  if (value.is_integer()) {
    return value.bits();
  }
  const auto [known, is_new] =
      texts_.try_emplace(value, static_cast<std::uint32_t>(segment_.text_begin.size()));
  if (is_new) {
    segment_.text_begin.push_back(static_cast<std::uint32_t>(segment_.texts.size()));
    const std::string text = history_.text(value);
    segment_.texts.insert(segment_.texts.end(), text.begin(), text.end());
  }
  return known->second | kTextBit;
}

std::uint32_t SegmentWriter::add_key(KeyId key, std::uint64_t rank) {
  const auto place = static_cast<std::uint32_t>(segment_.keys.size());
  segment_.keys.push_back({.name = word(history_.key_value(key)),
                           .trunk_begin = static_cast<std::uint32_t>(segment_.trunks.size()),
                           .rank = rank});
  for (const ValueId element : history_.trunk(key)) {
    segment_.trunks.push_back(word(element));
  }
  return place;
}

void SegmentWriter::add_op(Op op, std::uint32_t key, std::uint32_t mop, bool is_attempt) {
  SegmentOp kept = {
      .kind = static_cast<std::uint32_t>(op.kind()) + (is_attempt ? SegmentOp::kAttempt : 0),
      .mop = mop,
      .key = key};
  if (op.kind() != OpKind::kReadList) {
    kept.payload = word(op.value());
  } else if (op.list().is_prefix()) {
    kept.payload = op.list().bits();
  } else {
    const auto [known, is_new] = literals_.try_emplace(
        op.list().bits(), static_cast<std::uint32_t>(segment_.literals.size()));
    if (is_new) {
      const std::span<const ValueId> elements = history_.elements(op);
      segment_.literals.push_back({static_cast<std::uint32_t>(segment_.literal_elements.size()),
                                   static_cast<std::uint32_t>(elements.size())});
      for (const ValueId element : elements) {
        segment_.literal_elements.push_back(word(element));
      }
    }
    kept.payload = ListId::literal(known->second).bits();
  }
  segment_.ops.push_back(kept);
}

SegmentMops::SegmentMops(const Segment& segment, HistoryBuilder& builder,
                         std::vector<ValueId>& elements)
    : segment_(segment),
      builder_(builder),
      elements_(elements),
      keys_(segment.keys.size()),
      trunk_at_(segment.keys.size(), kNowhere),
      literal_at_(segment.literals.size(), kNowhere) {
  for (std::uint32_t i = 0; i < segment.text_begin.size(); ++i) {
    texts_.push_back(builder.values().intern(segment.text(i | kTextBit)));
  }
}

ValueId SegmentMops::value(std::uint32_t word) const {
  return (word & kTextBit) != 0 ? texts_[word & ~kTextBit] : ValueId::from_bits(word);
}

KeyId SegmentMops::key(std::uint32_t place) {
  if (keys_[place].is_none()) {
    keys_[place] = builder_.key(value(segment_.keys[place].name));
  }
  return keys_[place];
}

std::uint32_t SegmentMops::list_at(std::span<const std::uint32_t> words, std::uint32_t& known) {
  if (known == kNowhere) {
    known = static_cast<std::uint32_t>(elements_.size());
    for (const std::uint32_t word : words) {
      elements_.push_back(value(word));
    }
  }
  return known;
}

MopInput SegmentMops::mop(const SegmentOp& op) {
  MopInput mop = {.kind = op.op_kind(), .key = key(op.key)};
  if (mop.kind != OpKind::kReadList) {
    mop.value = value(op.payload);
    return mop;
  }
  const ListId list = ListId::from_bits(op.payload);
  if (list.is_prefix()) {
    mop.list_begin = list_at(segment_.trunk_of(op.key), trunk_at_[op.key]);
    mop.list_length = list.length();
    return mop;
  }
  const SegmentLiteral& literal = segment_.literals[list.literal_index()];
  const auto words = std::span(segment_.literal_elements).subspan(literal.begin, literal.length);
  mop.list_begin = list_at(words, literal_at_[list.literal_index()]);
  mop.list_length = literal.length;
  return mop;
}

}  // namespace elapid
