#include "parsers/elle_json/json_events.h"

#include <string>
#include <utility>

#include "parsers/elle_json/json_op_stream.h"
#include "parsers/elle_json/op_assembler.h"
#include "parsers/elle_json/workload_inference.h"

namespace elapid {

namespace {

/// Reads on until something is written. Errors are left to the reading proper.
WorkloadInference infer_workload(ByteSource& source) {
  ValuePool values;
  JsonOpStream stream(source, values, Workload::kListAppend);
  WorkloadInference inference;
  while (stream.next() && !inference.look_at(stream.op())) {
  }
  return inference;
}

Result<History> read_operations(ByteSource& source, const ReadOptions& options, Workload workload,
                                HistoryInfo info) {
  OpAssembler assembler(source, options);
  JsonOpStream stream(source, assembler.values(), workload);
  if (stream.has_byte_order_mark()) {
    assembler.remark(Remark::Kind::kByteOrderMark, 0, "the input begins with a byte order mark");
  }
  while (stream.next()) {
    if (const auto key = stream.duplicate_key()) {
      assembler.remark(Remark::Kind::kOther, key->offset(),
                       "an object has the key " + describe(*key) + " twice; the last one counts");
    }
    if (Status status = assembler.add(stream.op()); !status.ok()) {
      return std::move(status.error());
    }
    if (Status status = assembler.report_progress(stream.offset()); !status.ok()) {
      return std::move(status.error());
    }
  }
  if (!stream.status().ok()) {
    return stream.status().error();
  }
  info.source_bytes = stream.offset();
  return std::move(assembler).finish(std::move(info));
}

}  // namespace

Result<JsonHistory> read_json_history(ByteSource& source, const ReadOptions& options,
                                      Format format) {
  HistoryInfo info;
  info.format = name(format);
  info.files = {source.name()};
  if (Status status = source.rewind(); !status.ok()) {
    return std::move(status.error());
  }
  Workload workload = options.workload.value_or(Workload::kOther);
  if (!options.workload) {
    const WorkloadInference inference = infer_workload(source);
    workload = inference.workload();
    info.assumptions.push_back(inference.sentence());
    if (Status status = source.rewind(); !status.ok()) {
      return std::move(status.error());
    }
  }
  Result<History> history = read_operations(source, options, workload, std::move(info));
  if (!history) {
    return source.located(std::move(history.error()));
  }
  return JsonHistory{std::move(history).value(), workload};
}

}  // namespace elapid
