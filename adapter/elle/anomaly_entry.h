// One entry of a result map's :anomalies, in Elle's shape for the kind of anomaly.
#pragma once

#include "adapter/elle/document_writer.h"
#include "adapter/elle/event_text.h"
#include "engine/ir/history.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// Writes the entry. EmptyGraphEvidence has no map: Elle's value for the whole type is `true`.
void write_anomaly_entry(DocumentWriter& out, const History& history, const Anomaly& anomaly,
                         const EventFieldsFn& fields);

}  // namespace elapid
