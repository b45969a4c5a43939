#include "engine/verdict/timestamp_names.h"

namespace elapid {

namespace {

AnomalyType cycle_exists(const TimestampViolationKind& violation) {
  using enum AnomalyType;
  switch (violation.axiom) {
    case TimestampAxiom::kSession:
      return violation.at_commit ? kStrongSessionSerializableCycleExists
                                 : kStrongSessionSnapshotIsolationCycleExists;
    case TimestampAxiom::kRealTime:
      return violation.at_commit ? kPlSsCycleExists : kStrongSnapshotIsolationCycleExists;
    default:
      return violation.at_commit ? kPl3CycleExists : kPlSiCycleExists;
  }
}

AnomalyType type_of_read(const TimestampViolationKind& violation) {
  using enum AnomalyType;
  switch (violation.origin) {
    case ReadOrigin::kIntermediate:
      return kG1b;
    case ReadOrigin::kAborted:
      return kG1a;
    case ReadOrigin::kOwnFuture:
      return kFutureRead;
    case ReadOrigin::kNowhere:
      return kGarbageRead;
    case ReadOrigin::kBefore:
      if (violation.depends) {
        return kGSingleItem;
      }
      return violation.at_commit ? cycle_exists(violation) : kGSIb;
    case ReadOrigin::kUncommitted:
    case ReadOrigin::kAfter:
      break;
  }
  return violation.at_commit ? cycle_exists(violation) : kGSIa;
}

}  // namespace

AnomalyType anomaly_type(const TimestampViolationKind& violation) {
  switch (violation.axiom) {
    case TimestampAxiom::kInt:
      return AnomalyType::kInternal;
    case TimestampAxiom::kExt:
      return type_of_read(violation);
    case TimestampAxiom::kNoConflict:
      return violation.depends ? AnomalyType::kLostUpdate : AnomalyType::kGSIa;
    default:
      return cycle_exists(violation);
  }
}

}  // namespace elapid
