// Jepsen's histories in JSON: elle-cli's array of objects (`json`), and objects one after another
// (`jsonl`), which Elapid's own recorder format is (docs/recorder-format.md).
//
//   {"type": "ok", "process": 0, "f": "txn", "value": [["append", "x", 1], ["r", "y", [2, 3]]]}
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/ir/result.h"
#include "parsers/bytes/byte_source.h"
#include "parsers/convert/plain_event_writer.h"
#include "parsers/format.h"
#include "parsers/options.h"

namespace elapid {

extern const Format kJsonFormat;
extern const Format kJsonlFormat;

/// Reads a whole history from the first byte of `source` on: one array of objects, or objects one
/// after another, behind a recorder's header or not. `format` is whose name it gets; both are read
/// alike, but that sessions have names in `jsonl` and behind a header. What values are is said in
/// edn_text.h, the rest in read_edn_history, whose rules are the same.
Result<History> read_json_history(ByteSource& source, const ReadOptions& options,
                                  const Format& format);

/// Reads the histories of independent keys; errors alike.
Result<std::vector<IndependentHistory>> read_independent_json(ByteSource& source,
                                                              const ReadOptions& options,
                                                              const Format& format);

/// Reads the event at `offset`, as SourcePosition gives it, once more. A value too deep to be
/// printed comes out as `...`.
Result<EventDetails> read_json_event_details(ByteSource& source, std::uint64_t offset,
                                             bool with_value = false);

/// One array, an operation a line. Error kUsage if two keys or two values would become one.
Status write_json(const Plan& plan, OutputFile& out);

/// An operation a line; transactions that came whole are one line each. Likewise.
Status write_jsonl(const Plan& plan, OutputFile& out);

/// The same two, event by event; with timestamps the second has a header and whole transactions.
[[nodiscard]] std::unique_ptr<PlainEventWriter> make_json_event_writer(const EventStream& stream);
[[nodiscard]] std::unique_ptr<PlainEventWriter> make_jsonl_event_writer(const EventStream& stream);

}  // namespace elapid
