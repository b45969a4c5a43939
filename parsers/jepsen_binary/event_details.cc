#include "parsers/jepsen_binary/jepsen_binary_format.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "parsers/jepsen/edn_format.h"
#include "parsers/jepsen_binary/open_ops.h"

namespace elapid {

using jepsen_binary::OpTexts;

namespace {

/// Texts of single operations. A damaged file is salvaged again.
class OpsAgain {
 public:
  /// Borrows `source`.
  explicit OpsAgain(ByteSource& source) : source_(source) {}

  /// The text of the operation at `offset`. Goes on from the last one, if that leads to it.
  Result<std::string> text(std::uint64_t offset) {
    const bool is_ahead = ops_ != nullptr && ops_->offset() <= offset;
    if (const Result<bool> found = is_ahead ? step_to(offset) : Result<bool>(false);
        found && found.value()) {
      return text_;
    }
    Result<bool> found = open_at(offset);
    if (found && found.value()) {
      return text_;
    }
    ops_.reset();
    return found ? malformed_at(offset, "expected an operation here, found none")
                 : std::move(found.error());
  }

 private:
  Result<bool> open_at(std::uint64_t offset) {
    const auto container = jepsen_binary::find_container(source_);
    if (!container) {
      return container.error();
    }
    Result<std::unique_ptr<OpTexts>> ops = open_ops(source_, container.value(), true, offset);
    if (!ops) {
      return std::move(ops.error());
    }
    ops_ = std::move(ops).value();
    text_.clear();
    return step_to(offset);
  }

  /// Whether there is an operation at `offset`. Offsets ascend within a block.
  Result<bool> step_to(std::uint64_t offset) {
    while (text_.empty() || ops_->offset() < offset) {
      Result<bool> more = ops_->next(text_);
      if (!more || !more.value()) {
        return more;
      }
    }
    return ops_->offset() == offset;
  }

  ByteSource& source_;
  std::unique_ptr<OpTexts> ops_ = {};
  std::string text_ = {};  // of the last operation; empty before the first
};

}  // namespace

DetailsReader open_jepsen_binary_details(ByteSource& source) {
  return [&source, ops = std::make_shared<OpsAgain>(source)](
             std::uint64_t offset, bool with_value) -> Result<EventDetails> {
    Result<std::string> text = ops->text(offset);
    if (!text) {
      text.error().file = source.name();
      return std::move(text.error());
    }
    return read_edn_event_details(*memory_source(source.name(), std::move(text).value()), 0,
                                  with_value);
  };
}

}  // namespace elapid
