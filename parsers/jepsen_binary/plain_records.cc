#include "parsers/jepsen_binary/plain_records.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "parsers/bytes/word.h"
#include "parsers/fressian/codes.h"
#include "parsers/fressian/name_text.h"
#include "parsers/jepsen_binary/struct_text.h"

namespace elapid::jepsen_binary {

using fressian::Code;

namespace {

/// Longer records are left to the decoder.
constexpr std::size_t kMostBytes = std::size_t{1} << 16;

/// Readable bytes behind the code of an object: a number has eight at most.
constexpr std::ptrdiff_t kMargin = 16;

constexpr unsigned kPackedCodes = Code::kPriorityCacheGet;

/// By code: of an integer whose high bits are in the code.
constexpr std::array<fressian::PackedInteger, kPackedCodes> packed_by_code() {
  std::array<fressian::PackedInteger, kPackedCodes> by_code = {};
  for (const fressian::PackedInteger& packed : fressian::kPackedIntegers) {
    for (unsigned code = packed.first; code < packed.end; ++code) {
      by_code[code] = packed;
    }
  }
  return by_code;
}

constexpr std::array<fressian::PackedInteger, kPackedCodes> kPackedByCode = packed_by_code();

std::uint64_t big_endian_at(const char* at) {
  return __builtin_bswap64(word_at(at));
}

}  // namespace

/// One attempt. Functions return false where the shape is left; what they have put into the
/// operation by then is of no account.
class PlainRecord {
 public:
  PlainRecord(PlainRecords& records, const fressian::Decoder& decoder, std::string_view bytes,
              OpMap& op)
      : records_(records),
        decoder_(decoder),
        op_(op),
        at_(bytes.data()),
        end_(bytes.data() + bytes.size()) {}

  bool read() {
    return read_begin() && read_number(op_.index.emplace()) && read_number(op_.time.emplace()) &&
           read_type() && read_process() && read_f() && read_value() && read_extras();
  }

  [[nodiscard]] const char* end() const { return at_; }

 private:
  /// The rest of a list.
  struct Items {
    std::int64_t left = 0;
    bool has_end = false;  ///< a code ends it
    bool is_cut = false;   ///< the bytes ended before it did
  };

  [[nodiscard]] bool has_room() const { return end_ - at_ >= kMargin; }

  [[nodiscard]] unsigned code() const { return static_cast<unsigned char>(*at_); }

  bool take(unsigned wanted) {
    const bool is_there = code() == wanted;
    at_ += is_there ? 1 : 0;
    return is_there;
  }

  bool read_begin() {
    if (!has_room()) {
      return false;
    }
    const unsigned place = code() - Code::kStructCacheGet;
    const bool is_record =
        place < fressian::kStructGets && decoder_.is_cached_type(place, kOpTag, kOpParts);
    ++at_;
    return is_record;
  }

  /// A natural number whose high bits are in its code.
  bool read_number(std::int64_t& number) {
    if (!has_room() || code() >= kPackedCodes) {
      return false;
    }
    constexpr unsigned kBits = 8;
    const fressian::PackedInteger packed = kPackedByCode[code()];
    const std::int64_t high = static_cast<std::int64_t>(code()) - packed.zero;
    // Twice, since no shift is as long as the word.
    const std::uint64_t low = big_endian_at(at_ + 1) >> 1U >> (63 - kBits * packed.bytes);
    number =
        static_cast<std::int64_t>(static_cast<std::uint64_t>(high) << (kBits * packed.bytes) | low);
    at_ += 1 + packed.bytes;
    return number >= 0;
  }

  /// A place in the cache.
  bool take_cached(std::size_t& place) {
    if (!has_room()) {
      return false;
    }
    place = code() - Code::kPriorityCacheGet;
    if (place < fressian::kPriorityGets) {
      ++at_;
      return true;
    }
    std::int64_t number = 0;
    const bool is_place = take(Code::kPriorityCacheGetAt) && read_number(number);
    place = static_cast<std::size_t>(number);
    return is_place;
  }

  /// Of a text that is in the cache; else nullptr.
  PlainRecords::Word* word_at(std::size_t place) {
    if (place >= records_.words_.size()) {
      if (decoder_.cached(place).empty()) {
        return nullptr;
      }
      records_.words_.resize(place + 1);
    }
    return &records_.words_[place];
  }

  bool read_type() {
    std::size_t place = 0;
    PlainRecords::Word* const word = take_cached(place) ? word_at(place) : nullptr;
    if (word == nullptr) {
      return false;
    }
    if (!word->type) {
      const std::string_view text = decoder_.cached(place);
      word->type = text.starts_with(':') ? find_event_type(text.substr(1)) : std::nullopt;
    }
    op_.type = word->type;
    return word->type.has_value();
  }

  bool read_process() {
    op_.process_kind = ProcessKind::kClient;
    return read_number(op_.process);
  }

  bool read_f() {
    std::size_t place = 0;
    PlainRecords::Word* const word = take_cached(place) ? word_at(place) : nullptr;
    if (word == nullptr) {
      return false;
    }
    if (!word->keyword) {
      const std::string_view text = decoder_.cached(place);
      if (!text.starts_with(':')) {
        return false;
      }
      word->keyword = records_.values_.intern(text);
    }
    op_.f = *word->keyword;
    return true;
  }

  bool begin_list(Items& items) {
    if (!has_room()) {
      return false;
    }
    const unsigned length = code() - Code::kShortList;
    if (length < fressian::kShortLengths) {
      ++at_;
      items.left = length;
      return true;
    }
    items.has_end = take(Code::kClosedList);
    return items.has_end || (take(Code::kList) && read_number(items.left));
  }

  /// Whether a further item follows.
  bool has_item(Items& items) {
    if (items.has_end) {
      items.is_cut = !has_room();
      return !items.is_cut && !take(Code::kEndOfList);
    }
    return items.left-- > 0;
  }

  bool read_value() {
    if (!has_room()) {
      return false;
    }
    if (take(Code::kNull)) {
      op_.is_nil = true;
      return true;
    }
    op_.has_value = true;
    op_.begins_mops = true;
    Items items;
    if (!begin_list(items)) {
      return false;
    }
    while (has_item(items)) {
      if (!read_micro_op()) {
        return false;
      }
    }
    return !items.is_cut && !op_.mops.empty();
  }

  bool read_micro_op() {
    constexpr std::int64_t kParts = 3;
    Items parts;
    if (!begin_list(parts) || (!parts.has_end && parts.left != kParts)) {
      return false;
    }
    MopInput mop;
    ValueId key;
    if (!read_function(mop.kind) || !read_scalar(key)) {
      return false;
    }
    op_.note_mop(mop.kind, 0);
    const bool is_read = mop.kind == OpKind::kRead ? read_result(mop) : read_scalar(mop.value);
    if (!is_read || (parts.has_end && !(has_room() && take(Code::kEndOfList)))) {
      return false;
    }
    set_key_name(mop, key);
    op_.mops.push_back(mop);
    return true;
  }

  /// The place of the name of a keyword without a namespace.
  PlainRecords::Word* take_name(std::size_t& place) {
    const bool is_name =
        has_room() && take(Code::kKeyword) && take(Code::kNull) && take_cached(place);
    return is_name ? word_at(place) : nullptr;
  }

  bool read_function(OpKind& kind) {
    std::size_t place = 0;
    PlainRecords::Word* const word = take_name(place);
    if (word == nullptr) {
      return false;
    }
    if (!word->micro_op) {
      const std::string_view text = decoder_.cached(place);
      const bool is_known = text == "\"append\"" || text == "\"w\"" || text == "\"r\"";
      word->micro_op = is_known ? find_mop_kind(text.substr(1, text.size() - 2)) : std::nullopt;
    }
    kind = word->micro_op.value_or(OpKind::kOther);
    return word->micro_op.has_value();
  }

  bool read_scalar(ValueId& value) {
    if (!has_room()) {
      return false;
    }
    if (code() == Code::kKeyword) {
      return read_keyword(value);
    }
    std::int64_t number = 0;
    if (!read_number(number)) {
      return false;
    }
    value = records_.values_.integer(number);
    return true;
  }

  bool read_keyword(ValueId& value) {
    std::size_t place = 0;
    PlainRecords::Word* const word = take_name(place);
    if (word == nullptr) {
      return false;
    }
    if (!word->named) {
      const std::string_view text = decoder_.cached(place);
      const bool is_string = text.size() > 2 && text.front() == '"';
      const std::string keyword =
          is_string ? ':' + std::string(text.substr(1, text.size() - 2)) : "";
      if (!is_string || !fressian::is_word(fressian::NameKind::kKeyword, keyword)) {
        return false;
      }
      word->named = records_.values_.intern(keyword);
    }
    value = *word->named;
    return true;
  }

  bool read_result(MopInput& mop) {
    if (!has_room()) {
      return false;
    }
    return take(Code::kNull) || (records_.has_lists_ ? read_list(mop) : read_scalar(mop.value));
  }

  bool read_list(MopInput& mop) {
    mop.kind = OpKind::kReadList;
    mop.list_begin = static_cast<std::uint32_t>(op_.elements.size());
    Items items;
    if (!begin_list(items)) {
      return false;
    }
    while (has_item(items)) {
      ValueId element;
      if (!read_scalar(element)) {
        return false;
      }
      op_.elements.push_back(element);
    }
    mop.list_length = static_cast<std::uint32_t>(op_.elements.size()) - mop.list_begin;
    return !items.is_cut;
  }

  /// None.
  bool read_extras() {
    if (!has_room()) {
      return false;
    }
    if (take(Code::kNull)) {
      return true;
    }
    Items items;
    return take(Code::kMap) && begin_list(items) && !has_item(items) && !items.is_cut;
  }

  PlainRecords& records_;
  const fressian::Decoder& decoder_;
  OpMap& op_;
  const char* at_;
  const char* end_;
};

bool PlainRecords::read(fressian::Decoder& decoder, OpMap& op) {
  op.clear();
  const std::string_view bytes = decoder.ahead(kMostBytes);
  PlainRecord record(*this, decoder, bytes, op);
  if (!record.read()) {
    return false;
  }
  op.is_plain = true;
  decoder.skip(static_cast<std::size_t>(record.end() - bytes.data()));
  return true;
}

}  // namespace elapid::jepsen_binary
