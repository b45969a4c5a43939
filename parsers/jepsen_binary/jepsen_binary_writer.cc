#include "parsers/jepsen_binary/jepsen_binary_format.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parsers/bytes/output.h"
#include "parsers/convert/events.h"
#include "parsers/convert/mops_text.h"
#include "parsers/convert/plan.h"
#include "parsers/fressian/edn_encoder.h"
#include "parsers/jepsen_binary/block_file.h"

namespace elapid {

namespace jepsen_binary {

namespace {

/// Appends an integer as so many big-endian bytes.
void append_big_endian(std::int64_t value, unsigned bytes, std::string& out) {
  constexpr unsigned kByteBits = 8;
  for (unsigned i = bytes; i-- > 0;) {
    out += static_cast<char>(static_cast<std::uint64_t>(value) >> (kByteBits * i) & 0xffU);
  }
}

/// Writes the container that block_file.h describes. Errors: those of the output.
class BlockWriter {
 public:
  /// Begins a file of this version. Keeps a reference to `out`. Requires an empty output that
  /// allows overwriting.
  BlockWriter(std::int32_t version, OutputFile& out) : out_(out) {
    std::string header(kMagic);
    append_big_endian(version, kVersionBytes, header);
    append_big_endian(0, kOffsetBytes, header);
    out_ << header;
  }

  /// Adds a block; ids count from 1.
  BlockId add(BlockType type, std::string_view data) {
    ++last_id_;
    append_big_endian(last_id_, kIdBytes, index_);
    append_big_endian(static_cast<std::int64_t>(out_.size()), kOffsetBytes, index_);
    write(type, data);
    return last_id_;
  }

  /// Adds the index, and writes its place into the header.
  void finish(BlockId root) {
    std::string offset;
    append_big_endian(static_cast<std::int64_t>(out_.size()), kOffsetBytes, offset);
    std::string data;
    append_big_endian(root, kIdBytes, data);
    write(BlockType::kIndex, data + index_);
    out_.overwrite(kIndexOffset, offset);
  }

 private:
  void write(BlockType type, std::string_view data) {
    std::string size;
    append_big_endian(static_cast<std::int64_t>(data.size() + kBlockHeader), kOffsetBytes, size);
    std::string rest;
    append_big_endian(static_cast<std::int64_t>(type), kTypeBytes, rest);
    rest.resize(kBlockHeader - kOffsetBytes - kChecksumBytes);
    std::string checksum;
    append_big_endian(crc32(size + std::string(kChecksumBytes, '\0') + rest, crc32(data)),
                      kChecksumBytes, checksum);
    out_ << size << checksum << rest << data;
  }

  OutputFile& out_;
  std::string index_;  // an entry a block
  BlockId last_id_ = 0;
};

}  // namespace

}  // namespace jepsen_binary

using fressian::Encoder;
using jepsen_binary::BlockId;
using jepsen_binary::BlockType;

namespace {

constexpr std::size_t kChunkOps = 16384;
constexpr std::uint32_t kOpParts = 7;

std::string_view function(OpKind kind) {
  switch (kind) {
    case OpKind::kWrite:
      return "w";
    case OpKind::kAppend:
      return "append";
    default:
      return "r";
  }
}

/// Encodes the operations of one block.
class OpEncoder {
 public:
  /// Borrows plan and output. Operations become records with `as_records`, else maps.
  OpEncoder(const Plan& plan, bool as_records, std::string& out)
      : plan_(plan), as_records_(as_records), encoder_(out) {}

  Status add(const PlannedEvent& event) {
    Result<EventDetails> details = event_details(plan_, event);
    if (!details) {
      return std::move(details.error());
    }
    ops_.assign(plan_, event);
    return as_records_ ? add_record(event, details.value()) : add_map(event, details.value());
  }

 private:
  Status add_record(const PlannedEvent& event, const EventDetails& details) {
    encoder_.begin_struct("jepsen.history.Op", kOpParts);
    encoder_.integer(event.index);
    add_time(event);
    encoder_.cached_keyword(name(event.type));
    encoder_.integer(plan_.txns()[event.txn].session);
    if (Status status = add_f(details.f); !status.ok()) {
      return status;
    }
    if (Status status = add_ops(event); !status.ok()) {
      return status;
    }
    if (details.extras.empty()) {
      encoder_.null();
      return {};
    }
    encoder_.begin_map();
    return add_extras(details);
  }

  Status add_map(const PlannedEvent& event, const EventDetails& details) {
    encoder_.begin_map();
    encoder_.keyword("index");
    encoder_.integer(event.index);
    encoder_.keyword("time");
    add_time(event);
    encoder_.keyword("type");
    encoder_.cached_keyword(name(event.type));
    encoder_.keyword("process");
    encoder_.integer(plan_.txns()[event.txn].session);
    encoder_.keyword("f");
    if (Status status = add_f(details.f); !status.ok()) {
      return status;
    }
    encoder_.keyword("value");
    Status status = add_ops(event);
    return status.ok() ? add_extras(details) : status;
  }

  void add_time(const PlannedEvent& event) {
    event.time ? encoder_.integer(*event.time) : encoder_.null();
  }

  Status add_f(std::string_view f) {
    if (f.starts_with(':')) {
      encoder_.cached_keyword(f.substr(1));
      return {};
    }
    return encode_edn(f, encoder_);
  }

  Status add_ops(const PlannedEvent& event) {
    if (plan_.workload() == Workload::kRows) {
      text_.clear();
      append_edn_value(plan_, plan_.txns()[event.txn].txn, ops_.ops, text_);
      return encode_edn(text_, encoder_);
    }
    return add_mops();
  }

  Status add_mops() {
    encoder_.begin_list();
    for (const PlannedOp& op : ops_.ops) {
      encoder_.begin_list();
      encoder_.keyword(function(op.kind));
      Status status = add_value(plan_.history().key_value(op.key));
      if (status.ok()) {
        status = op.kind == OpKind::kReadList
                     ? add_list(op.elements)
                     : add_value(op.is_initial ? ValueId::nil() : op.value);
      }
      if (!status.ok()) {
        return status;
      }
      encoder_.end_list();
    }
    encoder_.end_list();
    return {};
  }

  Status add_list(std::span<const ValueId> elements) {
    encoder_.begin_list();
    for (const ValueId element : elements) {
      if (Status status = add_value(element); !status.ok()) {
        return status;
      }
    }
    encoder_.end_list();
    return {};
  }

  Status add_value(ValueId value) {
    if (const auto integer = plan_.history().values().as_integer(value)) {
      encoder_.integer(*integer);
      return {};
    }
    return encode_edn(plan_.history().text(value), encoder_);
  }

  /// Adds the extras up to the end of the open map.
  Status add_extras(const EventDetails& details) {
    for (const auto& [key, value] : details.extras) {
      for (const std::string& form : {key, value}) {
        if (Status status = encode_edn(form, encoder_); !status.ok()) {
          return status;
        }
      }
    }
    encoder_.end_list();
    return {};
  }

  const Plan& plan_;
  bool as_records_;
  Encoder encoder_;
  EventOps ops_;
  std::string text_;  // operations on rows
};

bool is_dense(std::span<const PlannedEvent> events) {
  std::int64_t next = 0;
  return std::all_of(events.begin(), events.end(),
                     [&next](const PlannedEvent& event) { return event.index == next++; });
}

/// Writes the blocks of the history. Returns the big vector that lists them.
Result<BlockId> add_history(const Plan& plan, std::span<const PlannedEvent> events, bool as_records,
                            jepsen_binary::BlockWriter& blocks) {
  std::string vector;
  jepsen_binary::append_big_endian(static_cast<std::int64_t>(events.size()), 8, vector);
  for (std::size_t first = 0; first < events.size(); first += kChunkOps) {
    std::string chunk;
    OpEncoder ops(plan, as_records, chunk);
    for (const PlannedEvent& event :
         events.subspan(first, std::min(kChunkOps, events.size() - first))) {
      if (Status status = ops.add(event); !status.ok()) {
        return std::move(status.error());
      }
    }
    jepsen_binary::append_big_endian(static_cast<std::int64_t>(first), 8, vector);
    jepsen_binary::append_big_endian(blocks.add(BlockType::kFressianStream, chunk), 4, vector);
  }
  return blocks.add(BlockType::kBigVector, vector);
}

/// The map of the test.
std::string test_map(BlockId history) {
  std::string bytes;
  Encoder encoder(bytes);
  encoder.begin_map();
  encoder.keyword("name");
  encoder.string("converted");
  encoder.keyword("history");
  encoder.begin_struct("block-ref", 1);
  encoder.integer(history);
  encoder.end_list();
  return bytes;
}

}  // namespace

Status write_jepsen_binary(const Plan& plan, OutputFile& out) {
  const std::vector<PlannedEvent> events = plan_events(plan);
  const bool as_records = is_dense(events);
  out.allow_overwriting();
  jepsen_binary::BlockWriter blocks(as_records ? 1 : 0, out);
  const Result<BlockId> history = add_history(plan, events, as_records, blocks);
  if (!history) {
    return history.error();
  }
  blocks.finish(blocks.add(BlockType::kFressian, test_map(history.value())));
  return {};
}

}  // namespace elapid
