// How the result map of a workload without levels prints.
#pragma once

#include <cstddef>

#include "adapter/elle/document_writer.h"
#include "adapter/elle/event_text.h"
#include "engine/ir/history.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// Writes the entries into the map that is open; a string of more than its share of `max_bytes` is
/// shortened.
void write_entries(DocumentWriter& out, const History& history, const Verdict& verdict,
                   const EventFieldsFn& fields, std::size_t max_bytes);

}  // namespace elapid
