#include "parsers/jepsen/op_pieces.h"

#include <algorithm>

#include "engine/workloads/table.h"
#include "parsers/edn/char_class.h"

namespace elapid {

bool may_be_cut(const ByteSource& source, std::size_t piece_bytes, const ReadOptions& options,
                Workload workload) {
  return options.threads > 1 && is_worth_cutting(source, piece_bytes) &&
         workload != Workload::kRows && row_of(workload).decode == nullptr;
}

bool is_blank_behind(const InputPiece& piece, std::uint64_t offset) {
  return std::ranges::all_of(piece.text().substr(offset - piece.offset()),
                             [](char c) { return edn::has_bit(c, edn::kSpaceBit); });
}

void translate_values(OpPiece& piece, ValuePool& to) {
  ValuePool& from = *piece.values;
  const std::size_t texts = from.intern("behind all texts").interned_index();
  const std::size_t longs = from.size() - texts - 1;
  std::vector<ValueId> of_texts(texts);
  std::vector<ValueId> of_longs(longs);
  bool is_same = true;
  for (std::uint32_t i = 0; i < texts; ++i) {
    of_texts[i] = to.intern(from.text(ValueId::interned(i)));
    is_same &= of_texts[i] == ValueId::interned(i);
  }
  for (std::uint32_t i = 0; i < longs; ++i) {
    of_longs[i] = to.integer(*from.as_integer(ValueId::long_integer(i)));
    is_same &= of_longs[i] == ValueId::long_integer(i);
  }
  if (!is_same) {
    piece.ops.replace_values([&](ValueId value) {
      return (value.is_long() ? of_longs : of_texts)[value.interned_index()];
    });
  }
}

}  // namespace elapid
