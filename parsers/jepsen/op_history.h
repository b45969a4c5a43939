// Reads a Jepsen history from a stream of its operations, in any syntax.
//
// A Stream is made from (ByteSource&, ValuePool&, Workload) and has next(), op(), status(),
// offset() and has_byte_order_mark(), as OpStream has.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/ir/call.h"
#include "engine/ir/history.h"
#include "engine/ir/result.h"
#include "engine/workloads/clues.h"
#include "engine/workloads/table.h"
#include "parsers/bytes/byte_source.h"
#include "parsers/bytes/pieces.h"
#include "parsers/format.h"
#include "parsers/jepsen/independent.h"
#include "parsers/jepsen/op_assembler.h"
#include "parsers/jepsen/op_pieces.h"
#include "parsers/jepsen/workload_inference.h"
#include "parsers/options.h"
#include "parsers/read_progress.h"

namespace elapid {

/// Reads up to the first write; see WorkloadTeller. The only error is that of an interruption: the
/// main reading reports others.
template <class Stream>
Result<ToldWorkload> tell_workload(ByteSource& source, const ReadOptions& options, Clues& clues) {
  ELAPID_RETURN_IF_ERROR(source.rewind());
  ValuePool values;
  Stream stream(source, values, Workload(kUninferredType));
  if (options.independent) {
    stream.take_tuples_apart();
  }
  ReadProgress progress(source, options);
  WorkloadInference inference(values, std::move(clues));
  ToldWorkload told;
  while (!told.is_certain && stream.next()) {
    ELAPID_RETURN_IF_ERROR(progress.report(stream.offset()));
    const OpMap& op = stream.op();
    const bool is_no_tuple = options.independent && op.has_value && op.tuple_key.is_none();
    told.is_certain = !is_no_tuple && inference.look_at(op);
  }
  told.workload = inference.workload();
  told.sentence = inference.sentence();
  clues = inference.clues();
  return told;
}

/// Functions without an argument at their invocation: the completion tells their result.
constexpr std::array<std::string_view, 14> kAskingFunctions = {
    ":read",    ":get",      ":dequeue",   ":pop",     ":poll",        ":take",  ":acquire",
    ":release", ":generate", ":read-init", ":refresh", ":strong-read", ":drain", ":fetch"};

/// Whether the form can be a key: it is neither nil nor a collection.
inline bool is_key(std::string_view form) {
  return form != "nil" && std::string_view("[({#").find(form.front()) == std::string_view::npos;
}

/// Whether the form is `[old new]`.
inline bool is_pair_form(std::string_view form) {
  const auto inner = form.starts_with('[') ? elements_of(form) : std::nullopt;
  return inner && inner->size() == 2;
}

/// Whether the form is nil, or a map whose values are all nil: `{0 nil}`.
inline bool asks(std::string_view form) {
  const auto inner = form.starts_with('{') ? elements_of(form) : std::nullopt;
  bool are_nil = inner && !inner->empty();
  for (std::size_t i = 1; are_nil && i < inner->size(); i += 2) {
    are_nil = (*inner)[i] == "nil";
  }
  return form == "nil" || are_nil;
}

/// Whether a client's first invocation of such a function has the value `[key nil]`, or `[key {0
/// nil}]`: for one object it is nil, for several it has the key. Looks at the first operations, and
/// on while clients' operations have pairs. No operation before it may be a transaction, and none
/// before it or shortly after may show the subkeys of the key, which is read in the same form. If
/// there is no such function, a :cas of `[key [old new]]` tells it, or an :inc that shows `[key {0
/// 1}]`, where all operations have a key and a value.
template <class Stream>
Result<TupleSign> finds_tuples(ByteSource& source, const ReadOptions& options) {
  constexpr std::size_t kMost = 10'000;
  TupleSign sign;
  if (options.workload && row_of(*options.workload).reads_by_key) {
    return sign;
  }
  ELAPID_RETURN_IF_ERROR(source.rewind());
  ValuePool values;
  Stream stream(source, values, Workload::kOther);
  ReadProgress progress(source, options);
  bool are_pairs = true;
  bool fits_keys = true;   // all operations may be ones on keys
  std::string_view shown;  // what tells it where nothing is read
  for (std::size_t i = 0; (i < kMost || are_pairs) && stream.next(); ++i) {
    ELAPID_RETURN_IF_ERROR(progress.report(stream.offset()));
    const OpMap& op = stream.op();
    const bool is_transaction = is_client(op) && op.begins_mops && sign.because.empty();
    if (is_transaction || (op.type == EventType::kOk && shows_subkeys(op.whole.text))) {
      return TupleSign{};
    }
    if (!sign.because.empty() || !is_client(op) || op.f.is_none()) {
      continue;
    }
    const auto pair = op.whole.text.starts_with('[') ? elements_of(op.whole.text) : std::nullopt;
    const bool is_pair = pair && pair->size() == 2;
    if (op.type != EventType::kInvoke) {
      const bool is_sum = is_pair && pair->back().starts_with('{') && values.text(op.f) == ":inc";
      shown = is_sum ? "an :inc shows [key {k v}], and nothing is read" : shown;
      continue;
    }
    are_pairs = are_pairs && is_pair;
    const std::string f = values.text(op.f);
    fits_keys = fits_keys && is_pair && is_key(pair->front()) &&
                (f != ":cas" || is_pair_form(pair->back()));
    const bool is_asked = is_pair && asks(pair->back());
    if (std::ranges::find(kAskingFunctions, f) != kAskingFunctions.end() ||
        (f == ":inc" && is_asked)) {  // an :inc may have an amount instead
      if (!is_asked) {
        return TupleSign{};
      }
      sign.because = "the first " + f + " is invoked with [key nil]";
      are_pairs = false;
      i = 0;
    }
    shown = f == ":cas" ? "a :cas is invoked with [key [old new]], and nothing is read" : shown;
  }
  if (fits_keys && sign.because.empty()) {
    sign.because = shown;
  }
  return sign;
}

/// Adds the operations after the pieces, one after another. Returns the offset of their end.
template <class Stream>
Result<std::uint64_t> read_rest(ByteSource& source, std::uint64_t offset, std::uint64_t count,
                                const ReadOptions& options, Workload workload,
                                OpAssembler& assembler, ReadProgress& progress) {
  Stream stream(source, offset, count, assembler.values(), workload);
  if (stream.has_byte_order_mark()) {
    note_byte_order_mark(assembler);
  }
  while (stream.next()) {
    ELAPID_RETURN_IF_ERROR(assembler.add(stream.op()));
    ELAPID_RETURN_IF_ERROR(progress.report(stream.offset()));
  }
  if (Status status = stream.status(); !status.ok()) {
    Error& error = status.error();
    if (!options.salvage || error.kind != ErrorKind::kMalformed) {
      return std::move(error);
    }
    const std::uint64_t end = error.byte_offset.value_or(0);
    assembler.remark(Remark::Kind::kSalvaged, end,
                     error.message + "; kept the operations before that");
    return end;
  }
  return stream.offset();
}

/// Reads all operations from the first byte on; under salvage up to the first syntax error. Reads
/// in pieces of so many bytes if that is worth while. Errors have byte offsets.
template <class Stream>
Result<History> read_operations(ByteSource& source, const ReadOptions& options, Workload workload,
                                HistoryInfo info, std::size_t piece_bytes = InputPiece::kBytes) {
  OpAssembler assembler(options, workload);
  assembler.expect_bytes(source.total());
  ReadProgress progress(source, options);
  PieceCutter cutter(source, piece_bytes);
  PiecesRead pieces;
  std::uint64_t count = 0;
  if constexpr (requires(const InputPiece& piece, ValuePool& pool) {
                  Stream(piece, pool, workload);
                }) {
    if (may_be_cut(source, piece_bytes, options, workload)) {
      ELAPID_ASSIGN_OR_RETURN(
          pieces, read_pieces<Stream>(cutter, options, workload, assembler, progress, count));
    }
  }
  if (!pieces.is_all) {
    ResumedSource rest(source, cutter, pieces.offset);
    ELAPID_ASSIGN_OR_RETURN(pieces.offset, read_rest<Stream>(rest, pieces.offset, count, options,
                                                             workload, assembler, progress));
  }
  info.source_bytes = pieces.offset;
  return std::move(assembler).finish(std::move(info));
}

/// The history's workload, before its operations are read. If it is not given, it is inferred
/// from the first write or append; without one, from the reads. Leaves the source at its first
/// byte.
template <class Stream>
Result<Workload> settle_workload(ByteSource& source, const ReadOptions& options,
                                 const Format& format, HistoryInfo& info) {
  info.format = format.name;
  info.files = {source.name()};
  Workload workload = options.workload.value_or(Workload::kOther);
  std::string because = options.workload_because;
  if (!options.workload) {
    Clues none;
    Result<ToldWorkload> told = tell_workload<Stream>(source, options, none);
    if (!told) {
      return source.located(std::move(told.error()));
    }
    workload = told.value().workload;
    because = std::move(told.value().sentence);
  }
  if (!because.empty()) {
    info.assumptions.push_back(std::move(because));
  }
  ELAPID_RETURN_IF_ERROR(source.rewind());
  info.workload = workload;
  return workload;
}

/// Reads a whole history, named as one of `format`, with the facts `info`. Errors have file, line,
/// column and byte offset; kUnreadable if the progress callback stopped the reading.
template <class Stream>
Result<History> read_op_history(ByteSource& source, const ReadOptions& options,
                                const Format& format, HistoryInfo info = {}) {
  ELAPID_ASSIGN_OR_RETURN(const Workload workload,
                          settle_workload<Stream>(source, options, format, info));
  Result<History> history = read_operations<Stream>(source, options, workload, std::move(info));
  if (!history) {
    return source.located(std::move(history.error()));
  }
  return history;
}

/// Reads the histories of independent keys; errors as above.
template <class Stream>
Result<std::vector<IndependentHistory>> read_independent_histories(ByteSource& source,
                                                                   const ReadOptions& options,
                                                                   const Format& format,
                                                                   HistoryInfo info = {}) {
  ELAPID_ASSIGN_OR_RETURN(const Workload workload,
                          settle_workload<Stream>(source, options, format, info));
  ValuePool values;
  Stream stream(source, values, workload);
  stream.take_tuples_apart();
  ReadProgress progress(source, options);
  auto histories = read_independent(stream, values, progress, options, workload, std::move(info),
                                    [](IndependentAssembler&) { return Status(); });
  if (!histories) {
    return source.located(std::move(histories.error()));
  }
  return histories;
}

}  // namespace elapid
