// Jepsen's histories in JSON: elle-cli's array of objects (`json`), and objects one after another
// (`jsonl`), among them Elapid's own recorder format (docs/recorder-format.md).
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
/// after another, with or without a recorder's header. The history is named as one of `format`;
/// both formats are read alike, but sessions have names in `jsonl` and after a header. The rules
/// for values are in edn_text.h; all others are those of read_edn_history.
Result<History> read_json_history(ByteSource& source, const ReadOptions& options,
                                  const Format& format);

/// Reads the histories of independent keys; errors as above.
Result<std::vector<IndependentHistory>> read_independent_json(ByteSource& source,
                                                              const ReadOptions& options,
                                                              const Format& format);

/// Reads the event at `offset`, as SourcePosition has it, once more. A value that is too deep to
/// print becomes `...`.
Result<EventDetails> read_json_event_details(ByteSource& source, std::uint64_t offset,
                                             bool with_value = false);

/// Writes one array, an operation a line. Error kUsage if two keys or two values would become one.
Status write_json(const Plan& plan, OutputFile& out);

/// Writes an operation a line; whole transactions are one line each. Error kUsage as write_json().
Status write_jsonl(const Plan& plan, OutputFile& out);

/// Write both formats event by event. With timestamps `jsonl` has a header and whole transactions.
[[nodiscard]] std::unique_ptr<PlainEventWriter> make_json_event_writer(const EventStream& stream);
[[nodiscard]] std::unique_ptr<PlainEventWriter> make_jsonl_event_writer(const EventStream& stream);

}  // namespace elapid
