// The general way to read a transaction: from any JSON value, with every error.
#ifndef ELAPID_PARSERS_TIMEKILLER_TXN_DOCUMENT_H_
#define ELAPID_PARSERS_TIMEKILLER_TXN_DOCUMENT_H_

#include "engine/ir/result.h"
#include "parsers/json/document.h"
#include "parsers/timekiller/timekiller_txn.h"

namespace elapid {

/// Unknown fields are passed over. Error kMalformed with a byte offset.
Status read_timekiller_txn(json::Value value, TimekillerTxn& txn);

}  // namespace elapid

#endif  // ELAPID_PARSERS_TIMEKILLER_TXN_DOCUMENT_H_
