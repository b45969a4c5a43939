// One operation of a JSON history: {"type": "ok", "process": 0, "value": [["r", "x", 1]], ...}.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "engine/ir/history_builder.h"
#include "engine/ir/result.h"
#include "engine/ir/seeded_hash.h"
#include "parsers/jepsen/op_map.h"
#include "parsers/json/document.h"
#include "parsers/options.h"

namespace elapid {

/// Reads operations as OpMapReader does those of EDN.
class JsonOpReader {
 public:
  /// Borrows `values`. Reads lists only in list-append; elsewhere every value is one value.
  JsonOpReader(ValuePool& values, Workload workload)
      : values_(values),
        fields_(workload.fields()),
        has_lists_(workload.has_lists()),
        has_own_values_(workload.has_own_values()),
        has_rows_(workload == Workload::kRows) {}

  /// See OpMapReader.
  void take_tuples_apart() { has_tuples_ = true; }

  /// From now on a process that is a string is a session of that name, except the nemesis's.
  void take_named_sessions() { has_named_sessions_ = true; }

  /// Reads an object. Error: kMalformed with a byte offset.
  Status read(json::Value object, OpMap& op);

 private:
  void read_fields(json::Value object, OpMap& op);
  Status name_session(OpMap& op);
  void read_f(json::Value value, OpMap& op);
  void read_tuple(json::Value tuple, OpMap& op);
  void read_value(json::Value value, OpMap& op);
  void read_whole(json::Value value, WholeValue& whole);
  void read_row_ops(json::Value value, OpMap& op);
  bool read_mops(json::Value value, OpMap& op);
  bool read_mop(json::Value mop, OpMap& op);
  bool read_known_mop(json::Value mop, OpKind kind, OpMap& op);
  bool read_other_mop(json::Value mop, OpMap& op);
  bool read_read_value(json::Value value, MopInput& mop, OpMap& op);
  bool read_list(json::Value list, MopInput& mop, OpMap& op);
  bool read_scalar(json::Value value, ValueId& id, OpMap& op);

  ValuePool& values_;
  std::span<const std::string_view> fields_;
  bool has_lists_;
  bool has_own_values_;
  bool has_rows_;  // :value is kept as text, in the notation of rows
  bool has_tuples_ = false;
  bool has_named_sessions_ = false;
  std::unordered_map<std::string, std::int64_t, SeededHash> sessions_;  // by name
  std::string text_;                                                    // canonical text of a value
};

}  // namespace elapid
