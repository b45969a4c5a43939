// A sketch of each anomaly of rows and predicates.
//
//   0> ; 1> ; 0+ s0-9: i1=5; 1+ s0-9: i2=6
//
// Events are separated by `;`: a process, a mark (`>` invoked, `+` committed, `-` aborted, `?`
// indeterminate) and the operations, which an invocation takes from its completion. A completion of
// a process that has nothing open brings its invocation along. Numbers are below 10:
//
//   i1=5         row 1 is inserted with the number 5
//   s0-9:        a search for numbers from 0 to 9 finds no row
//   s0-9:1=5,2=6 it finds two, with these numbers
//   u0-9=7:1,2   these rows get the number 7
//   d0-9:1       row 1 is deleted
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "engine/levels/models.h"
#include "parsers/convert/plain_event.h"

namespace elapid {

/// An operation with what it found. Keys are numbers of rows, from 1, and the group is 0.
struct SketchedRowOp {
  PlainRowOp op = {};
  std::vector<std::int64_t> found = {};  ///< as of a PlainEvent
};

struct SketchedRowEvent {
  EventType type = EventType::kInvoke;
  std::int64_t process = 0;
  std::vector<SketchedRowOp> ops = {};
};

struct RowSketch {
  std::string_view name;  ///< of the anomaly, or of one that goes by another name in rows
  std::string_view text;
  AnomalySet types = {};  ///< what strict serializability finds in it
};

[[nodiscard]] std::span<const RowSketch> row_sketches();

/// Null if there is none of this name.
[[nodiscard]] const RowSketch* find_row_sketch(std::string_view name);

/// The events that a sketch's text says; of a text that is none, as far as it is one.
[[nodiscard]] std::vector<SketchedRowEvent> parse_row_sketch(std::string_view text);

}  // namespace elapid
