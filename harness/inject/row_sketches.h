// A sketch of each anomaly of rows and predicates.
//
//   0> ; 1> ; 0+ s0-9: i1=5; 1+ s0-9: i2=6
//
// Events are separated by `;`: a process, a mark (`>` invoked, `+` committed, `-` aborted, `?`
// indeterminate) and operations. An invocation has those of its completion. A completion without an
// open invocation also adds the invocation. Numbers are below 10:
//
//   i1=5         row 1 is inserted with the number 5
//   r1=5, r1     row 1 is read by its key: it has the number 5; it is not there
//   U1=5, D1     row 1 is updated by its key, deleted by its key
//   s0-9:        a search for numbers from 0 to 9 finds no row
//   s0-9:1=5,2=6 the search finds two rows, with these numbers
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

/// An operation with its result. Keys are row numbers, from 1; the group is 0.
struct SketchedRowOp {
  PlainRowOp op = {};
  std::vector<std::int64_t> found = {};  ///< in the form of a PlainEvent
};

struct SketchedRowEvent {
  EventType type = EventType::kInvoke;
  std::int64_t process = 0;
  std::vector<SketchedRowOp> ops = {};
};

struct RowSketch {
  std::string_view name;  ///< of the anomaly, or of a variant for rows
  std::string_view text;
  AnomalySet types = {};  ///< the anomalies by strict serializability
};

[[nodiscard]] std::span<const RowSketch> row_sketches();

/// The sketch of this name; null if there is none.
[[nodiscard]] const RowSketch* find_row_sketch(std::string_view name);

/// The events of a sketch's text; up to the first error if the text is malformed.
[[nodiscard]] std::vector<SketchedRowEvent> parse_row_sketch(std::string_view text);

}  // namespace elapid
