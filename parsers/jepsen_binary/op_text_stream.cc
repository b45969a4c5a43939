#include "parsers/jepsen_binary/op_text_stream.h"

#include <utility>

namespace elapid::jepsen_binary {

void locate(OpMap& op, std::uint64_t place) {
  op.offset = place;
  op.value_offset = place;
  for (const RareError* const error : {&op.not_mops, &op.not_list, &op.twice, &op.whole.problem}) {
    if (*error) {
      (*error)->byte_offset = place;
    }
  }
  for (std::uint64_t* const first : {&op.first_append, &op.first_write}) {
    if (*first != OpMap::kNoPlace) {  // the first place of the two is kept
      *first = place + (op.first_other < *first ? 1 : 0);
    }
  }
  if (op.first_other != OpMap::kNoPlace) {
    op.first_other = place;
  }
}

Result<std::size_t> OpTextSource::read(std::span<char> into) {
  if (given_ == text_.size()) {
    if (Status status = refill(); !status.ok()) {
      has_failed_ = true;
      return std::move(status.error());
    }
  }
  const std::size_t count = text_.copy(into.data(), into.size(), given_);
  given_ += count;
  return count;
}

/// Gives the next operation, the bracket behind the last one, or nothing.
Status OpTextSource::refill() {
  given_ = 0;
  text_.clear();
  if (has_ended_) {
    return {};
  }
  Result<bool> more = ops_.next(text_);
  if (!more) {
    return std::move(more.error());
  }
  has_ended_ = !more.value();
  if (has_ended_) {
    text_ = "]";
    return {};
  }
  if (text_.starts_with("#jepsen.history.Op ")) {  // otherwise it would become a map
    return malformed_at(ops_.offset(),
                        "expected an operation of 7 parts, the last of them a map or nil; found "
                        "another structure of its name");
  }
  text_ += '\n';
  return {};
}

Result<std::size_t> OpTextSource::reread(std::uint64_t /*offset*/, std::span<char> /*into*/) {
  return 0;
}

Status OpTextSource::rewind() {
  return Error{.kind = ErrorKind::kInternal, .message = "texts of operations are made only once"};
}

bool OpTextStream::next(OpMap& op) {
  bool is_read = is_plain_ && ops_.next_plain(records_, op);
  if (is_read) {
    stream_.pass();
  } else {
    records_.forget();
    is_read = stream_.next(op);
  }
  locate(op, ops_.offset());
  return is_read;
}

Status OpTextStream::status() const {
  Status status = stream_.status();
  if (!status.ok() && !source_.has_failed()) {
    status.error().byte_offset = ops_.offset();
  }
  return status;
}

}  // namespace elapid::jepsen_binary
