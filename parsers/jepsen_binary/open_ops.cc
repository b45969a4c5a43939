#include "parsers/jepsen_binary/open_ops.h"

#include <string>
#include <utility>

#include "parsers/fressian/codes.h"
#include "parsers/jepsen_binary/block_file.h"
#include "parsers/jepsen_binary/block_ops.h"
#include "parsers/jepsen_binary/fressian_ops.h"
#include "parsers/jepsen_binary/salvaged_ops.h"
#include "parsers/jepsen_binary/test_entries.h"

namespace elapid::jepsen_binary {

Result<Container> find_container(ByteSource& source) {
  Result<std::string> first = FileBytes(source).read_at(0, 1);
  if (!first) {
    return std::move(first.error());
  }
  // The reader of the newer form refuses what is neither.
  const unsigned code = first.value().empty() ? 0U : static_cast<unsigned char>(first.value()[0]);
  const bool is_fressian =
      code == fressian::kMap || code == fressian::kResetCaches || code == fressian::kFooter;
  return is_fressian ? Container::kFressian : Container::kBlocks;
}

Result<std::unique_ptr<OpTexts>> open_ops(ByteSource& source, Container container, bool salvages,
                                          std::optional<std::uint64_t> around) {
  if (container == Container::kFressian) {
    return std::unique_ptr<OpTexts>(std::make_unique<FressianOps>(FileBytes(source), salvages));
  }
  BlockFile file{FileBytes(source)};
  if (Result<std::int32_t> version = file.version(); !version) {
    return std::move(version.error());
  }
  if (salvages) {
    return std::unique_ptr<OpTexts>(std::make_unique<SalvagedOps>(file, around));
  }
  Result<std::uint64_t> offset = file.index_offset();
  Result<BlockIndex> index =
      offset ? file.index_at(offset.value()) : Result<BlockIndex>(std::move(offset.error()));
  if (!index) {
    return std::move(index.error());
  }
  if (Status status = around ? Status() : file.check_behind(index.value().block); !status.ok()) {
    return std::move(status.error());
  }
  Result<BlockId> history = find_history(file, index.value());
  if (!history) {
    return std::move(history.error());
  }
  return std::unique_ptr<OpTexts>(
      std::make_unique<BlockOps>(file, std::move(index).value(), history.value(), around));
}

}  // namespace elapid::jepsen_binary
