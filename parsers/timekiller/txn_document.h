// The general way to read a transaction: from any JSON value, with every error.
#pragma once

#include "engine/ir/result.h"
#include "parsers/json/document.h"
#include "parsers/timekiller/timekiller_txn.h"

namespace elapid {

/// Skips unknown fields. Error kMalformed with a byte offset.
Status read_timekiller_txn(json::Value value, TimekillerTxn& txn);

}  // namespace elapid
