#include "engine/infer/dirty_walk.h"

namespace elapid {

void DirtyWalk::step(ValueId element, TxnId writer) {
  values_.push_back(element);
  switch (history_.status(writer)) {
    case TxnStatus::kIndeterminate:
      return;
    case TxnStatus::kCommitted:
      if (!aborted_.is_none()) {
        out_.push_back(
            {AnomalyType::kDirtyUpdate, DirtyUpdateEvidence{key_, values_, aborted_, writer}});
      }
      aborted_ = TxnId::none();
      break;
    case TxnStatus::kAborted:
      if (!aborted_.is_none()) {
        return;
      }
      aborted_ = writer;
      break;
  }
  values_.assign(1, element);
}

void DirtyWalk::forget() {
  values_.clear();
  aborted_ = TxnId::none();
}

}  // namespace elapid
