#include "parsers/jepsen_binary/jepsen_binary_format.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "parsers/jepsen/independent.h"
#include "parsers/jepsen/op_assembler.h"
#include "parsers/jepsen/op_pieces.h"
#include "parsers/jepsen/workload_inference.h"
#include "parsers/jepsen_binary/block_ops.h"
#include "parsers/jepsen_binary/block_pieces.h"
#include "parsers/jepsen_binary/file_bytes.h"
#include "parsers/jepsen_binary/op_text_stream.h"
#include "parsers/jepsen_binary/open_ops.h"
#include "parsers/read_progress.h"

namespace elapid {

using jepsen_binary::BlockOps;
using jepsen_binary::Container;
using jepsen_binary::OpTexts;
using jepsen_binary::OpTextStream;

namespace {

/// Reads one file.
class BinaryHistory {
 public:
  BinaryHistory(ByteSource& source, Container container, const ReadOptions& options)
      : source_(source), container_(container), options_(options) {}

  Result<History> read() {
    HistoryInfo info;
    const Result<Workload> workload = settle_workload(info);
    if (!workload) {
      return workload.error();
    }
    return read_operations(workload.value(), std::move(info));
  }

  /// Reads the histories of independent keys.
  Result<std::vector<IndependentHistory>> read_parts() {
    HistoryInfo info;
    const Result<Workload> workload = settle_workload(info);
    if (!workload) {
      return workload.error();
    }
    Result<std::unique_ptr<OpTexts>> ops = open();
    if (!ops) {
      return std::move(ops.error());
    }
    ValuePool values;
    OpTextStream stream(*ops.value(), values, workload.value());
    stream.take_tuples_apart();
    ReadProgress progress(source_, options_);
    return read_independent(stream, values, progress, options_, workload.value(), std::move(info),
                            [&](IndependentAssembler& assembler) {
                              return remark_breaks(ops.value()->breaks(), stream.count(),
                                                   assembler);
                            });
  }

  /// Searches for tuples. The reading itself reports errors in the file.
  Result<TupleSign> find_tuples() {
    Result<std::unique_ptr<OpTexts>> ops = open();
    if (!ops) {
      return TupleSign{};
    }
    ValuePool values;
    OpTextStream stream(*ops.value(), values, Workload::kOther);
    ReadProgress progress(source_, options_);
    while (stream.next()) {
      if (Status status = progress.report(stream.offset()); !status.ok()) {
        return std::move(status.error());
      }
      const OpMap& op = stream.op();
      if (is_client(op) && op.has_value) {
        return ops.value()->is_tuple()
                   ? TupleSign{.because = "values are map entries, the tuples of Jepsen",
                               .is_certain = true}
                   : TupleSign{};
      }
    }
    return TupleSign{};
  }

 private:
  [[nodiscard]] std::string tuple_hint() const {
    return "values are tuples of jepsen.independent: with " +
           std::string(options_.words.independent) + " each key is checked by itself";
  }

  [[nodiscard]] Result<std::unique_ptr<OpTexts>> open() const {
    return open_ops(source_, container_, options_.salvage);
  }

  Result<Workload> settle_workload(HistoryInfo& info) {
    info.format = kJepsenBinaryFormat.name;
    info.files = {source_.name()};
    Workload workload = options_.workload.value_or(Workload::kOther);
    if (!options_.workload) {
      Result<std::string> sentence = infer(workload);
      if (!sentence) {
        return std::move(sentence.error());
      }
      info.assumptions.push_back(std::move(sentence).value());
    }
    info.workload = workload;
    return workload;
  }

  /// Infers the workload: reads until a write shows it. The reading itself reports errors in the
  /// file, except those before any operation. Returns the reason for the workload.
  Result<std::string> infer(Workload& workload) {
    Result<std::unique_ptr<OpTexts>> ops = open();
    if (!ops) {
      return std::move(ops.error());
    }
    ValuePool values;
    WorkloadInference inference(values);
    OpTextStream stream(*ops.value(), values, Workload(kUninferredType));
    if (options_.independent) {
      stream.take_tuples_apart();
    }
    ReadProgress progress(source_, options_);
    while (stream.next() && !inference.look_at(stream.op())) {
      if (Status status = progress.report(stream.offset()); !status.ok()) {
        return std::move(status.error());
      }
    }
    workload = inference.workload();
    return inference.sentence();
  }

  Result<History> read_operations(Workload workload, HistoryInfo info) {
    std::optional<OpAssembler> assembler(std::in_place, options_, workload);
    Result<bool> is_read = read_blocks(workload, *assembler);
    if (!is_read) {
      return std::move(is_read.error());
    }
    if (!is_read.value()) {
      assembler.emplace(options_, workload);
      if (Status status = read_one_by_one(workload, *assembler); !status.ok()) {
        return std::move(status.error());
      }
    }
    Result<std::uint64_t> size = jepsen_binary::FileBytes(source_).size();
    if (!size) {
      return std::move(size.error());
    }
    info.source_bytes = size.value();
    return std::move(*assembler).finish(std::move(info));
  }

  /// Reads all operations with all threads; false if they must be read one by one.
  Result<bool> read_blocks(Workload workload, OpAssembler& assembler) {
    if (container_ != Container::kBlocks || options_.salvage ||
        !may_be_cut(source_, 0, options_, workload)) {
      return false;
    }
    Result<std::unique_ptr<BlockOps>> ops = jepsen_binary::open_blocks(source_);
    if (!ops) {
      return false;
    }
    ReadProgress progress(source_, options_);
    return jepsen_binary::read_block_pieces(*ops.value(), options_, workload, assembler, progress);
  }

  Status read_one_by_one(Workload workload, OpAssembler& assembler) {
    Result<std::unique_ptr<OpTexts>> ops = open();
    if (!ops) {
      return std::move(ops.error());
    }
    OpTextStream stream(*ops.value(), assembler.values(), workload);
    ReadProgress progress(source_, options_);
    bool has_tuples = false;
    while (stream.next()) {
      if (ops.value()->is_tuple() && !std::exchange(has_tuples, true)) {
        assembler.remark(Remark::Kind::kOther, stream.offset(), tuple_hint());
      }
      Status status = assembler.add(stream.op());
      if (!status.ok() && ops.value()->is_tuple()) {
        status.error().message += "; " + tuple_hint();
      }
      if (status.ok()) {
        status = progress.report(stream.offset());
      }
      if (!status.ok()) {
        return status;
      }
    }
    if (Status status = stream.status(); !status.ok()) {
      return status;
    }
    return remark_breaks(ops.value()->breaks(), stream.count(), assembler);
  }

  /// Adds remarks about breaks. Error: there are breaks and no operations.
  template <class Assembler>
  static Status remark_breaks(const std::vector<jepsen_binary::Break>& breaks, std::uint64_t count,
                              Assembler& assembler) {
    if (count == 0 && !breaks.empty()) {
      return malformed_at(breaks.front().offset,
                          breaks.front().message + "; no operations can be taken");
    }
    for (const jepsen_binary::Break& cut : breaks) {
      assembler.remark(Remark::Kind::kSalvaged, cut.offset,
                       cut.message + "; " + std::to_string(count) + " operations were taken");
    }
    return {};
  }

  ByteSource& source_;
  Container container_;
  const ReadOptions& options_;
};

/// Makes the history's file in a store's directory file 0.
Status add_file(Sources& sources, const std::string& dialect) {
  const std::filesystem::path folder = sources.path();
  std::error_code error;
  const bool is_fressian =
      dialect == "fressian" ||
      (dialect.empty() && !std::filesystem::exists(folder / "test.jepsen", error));
  const Result<std::uint16_t> file =
      sources.add((folder / (is_fressian ? "test.fressian" : "test.jepsen")).string());
  return file ? Status() : Status(file.error());
}

Result<Container> container_of(ByteSource& source, const std::string& dialect) {
  if (dialect.empty()) {
    return jepsen_binary::find_container(source);
  }
  return dialect == "fressian" ? Container::kFressian : Container::kBlocks;
}

/// Opens the file and reads it with `read`.
template <class Parsed>
Result<Parsed> read_file(Sources& sources, const std::string& dialect, const ReadOptions& options,
                         Result<Parsed> (BinaryHistory::*read)()) {
  if (sources.is_directory()) {
    if (Status status = add_file(sources, dialect); !status.ok()) {
      return std::move(status.error());
    }
  }
  Result<ByteSource*> source = sources.open(0);
  if (!source) {
    return std::move(source.error());
  }
  const Result<Container> container = container_of(*source.value(), dialect);
  Result<Parsed> parsed = Error{};
  if (container) {
    BinaryHistory history(*source.value(), container.value(), options);
    parsed = (history.*read)();
  } else {
    parsed = container.error();
  }
  if (!parsed) {
    parsed.error().file = sources.name(0);
  }
  return parsed;
}

}  // namespace

Result<History> read_jepsen_binary(Sources& sources, const std::string& dialect,
                                   const ReadOptions& options) {
  return read_file(sources, dialect, options, &BinaryHistory::read);
}

Result<std::vector<IndependentHistory>> read_independent_jepsen_binary(Sources& sources,
                                                                       const std::string& dialect,
                                                                       const ReadOptions& options) {
  return read_file(sources, dialect, options, &BinaryHistory::read_parts);
}

Result<TupleSign> finds_tuples_in_jepsen_binary(Sources& sources, const std::string& dialect,
                                                const ReadOptions& options) {
  return read_file(sources, dialect, options, &BinaryHistory::find_tuples);
}

}  // namespace elapid
