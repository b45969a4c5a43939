// The short cut through operation maps of the most frequent shape, as
// `{:index 0, :time 1, :type :ok, :process 2, :f :txn, :value [[:append 8 1] [:r 63 [1 2]]]}`.
// The general reader reads all other maps, and reports errors.

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "parsers/bytes/digits.h"
#include "parsers/bytes/word.h"
#include "parsers/jepsen/known_lists.h"
#include "parsers/jepsen/op_map.h"

namespace elapid {

/// Forced inlining lets the compiler keep the place in the text in a register.
#define ELAPID_INLINE [[gnu::always_inline]]

/// A place in the text.
class PlainText {
 public:
  explicit PlainText(const char* at) : at_(at) {}

  [[nodiscard]] const char* end() const { return at_; }

 protected:
  ELAPID_INLINE void skip_space() {
    while (edn::has_bit(*at_, edn::kSpaceBit)) {
      ++at_;
    }
  }

  ELAPID_INLINE bool take(char c) {
    const bool is_there = *at_ == c;
    at_ += is_there ? 1 : 0;
    return is_there;
  }

  /// Takes the text, if it is next. It may be shorter than the text: a NUL follows it, and the
  /// bytes behind may be read.
  ELAPID_INLINE bool take(ShortText text) {
    const bool is_there = text.begins(at_);
    at_ += is_there ? text.size() : 0;
    return is_there;
  }

  /// Takes a natural number of at most sixteen digits, without sign and leading zeros.
  ELAPID_INLINE bool take_number(std::int64_t& number) {
    const Digits digits = up_to_16_digits(at_);
    number = static_cast<std::int64_t>(digits.value);
    const bool is_plain =
        digits.count > 0 && digits.count < 16 && (*at_ != '0' || digits.count == 1);
    at_ += digits.count;
    return is_plain && edn::has_bit(*at_, edn::kEndsTokenBit);
  }

  /// Takes a keyword whose colon was skipped.
  ELAPID_INLINE std::string_view take_keyword() {
    const char* const begin = at_ - 1;
    while (edn::has_bit(*at_, edn::kPlainBit)) {
      ++at_;
    }
    const bool is_plain = at_ > begin + 1 && edn::has_bit(*at_, edn::kEndsTokenBit);
    return {begin, is_plain ? static_cast<std::size_t>(at_ - begin) : 0};
  }

  const char* at_;
};

/// One value, as canonical EDN. Its functions call one another, so its place is in memory.
class PlainForm : public PlainText {
 public:
  /// Appends to `text`.
  PlainForm(const char* at, std::string& text) : PlainText(at), text_(text), copied_(at) {}

  /// Takes a scalar, or a vector or map of at most this depth, and appends it to the text.
  bool append_form(unsigned depth) {
    const bool is_taken = take_form(depth);
    copy();
    return is_taken;
  }

 private:
  /// An entry of a map: its key in the source, its begin and its end in the text.
  struct Entry {
    std::string_view key;
    std::size_t begin = 0;
    std::size_t end = 0;
  };

  /// Appends what was taken since the last call. The source is canonical, except for the commas and
  /// the order of maps.
  void copy() {
    text_.append(copied_, at_);
    copied_ = at_;
  }

  /// The length of the text with what was taken.
  [[nodiscard]] std::size_t length() const {
    return text_.size() + static_cast<std::size_t>(at_ - copied_);
  }

  bool take_form(unsigned depth) {
    if (*at_ == '[' || *at_ == '{') {
      return depth > 0 && (*at_ == '[' ? take_vector(depth - 1) : take_map(depth - 1));
    }
    return take_scalar();
  }

  bool take_vector(unsigned depth) {
    ++at_;
    for (bool has_more = *at_ != ']'; has_more; has_more = take(' ')) {
      if (!take_form(depth)) {
        return false;
      }
    }
    return take(']');
  }

  /// Takes a map whose keys are scalars. If they are not in order, they are few.
  bool take_map(unsigned depth) {
    std::array<Entry, 8> entries;
    std::size_t count = 0;
    std::string_view last;
    bool is_sorted = true;
    ++at_;
    for (bool has_more = *at_ != '}'; has_more; ++count) {
      const char* const key = at_;
      Entry& entry = entries[count % entries.size()];
      entry.begin = length();
      if (!take_scalar()) {
        return false;
      }
      entry.key = {key, at_};
      is_sorted = is_sorted && last < entry.key;
      last = entry.key;
      if (!take(' ') || !take_form(depth)) {
        return false;
      }
      entry.end = length();
      const bool has_comma = skip_comma();
      has_more = take(' ');
      if (has_comma && !has_more) {
        return false;
      }
    }
    return take('}') && (is_sorted || (count <= entries.size() &&
                                       sort_entries(std::span(entries).first(count))));
  }

  bool skip_comma() {
    if (*at_ != ',') {
      return false;
    }
    copy();
    copied_ = ++at_;
    return true;
  }

  /// Sorts the entries of the map that was just taken. False if a key is there twice.
  bool sort_entries(std::span<Entry> entries) {
    copy();
    const std::size_t begin = entries.front().begin;
    std::ranges::sort(entries, {}, &Entry::key);
    std::string sorted;
    for (const Entry& entry : entries) {
      sorted.append(text_, entry.begin, entry.end - entry.begin) += ' ';
    }
    sorted.back() = '}';
    text_.replace(begin, std::string::npos, sorted);
    return std::ranges::adjacent_find(entries, {}, &Entry::key) == entries.end();
  }

  bool take_scalar() {
    const bool is_constant = take("nil") || take("true") || take("false");
    return is_constant ? edn::has_bit(*at_, edn::kEndsTokenBit) : take_plain_token();
  }

  /// Takes a natural number, a keyword, or a string without escapes.
  bool take_plain_token() {
    if (take('"')) {
      while (*at_ >= ' ' && *at_ <= '~' && *at_ != '"' && *at_ != '\\') {
        ++at_;
      }
      return take('"') && edn::has_bit(*at_, edn::kEndsTokenBit);
    }
    std::int64_t number = 0;
    return take(':') ? !take_keyword().empty() : take_number(number);
  }

  std::string& text_;
  const char* copied_;  // up to here, the source is in the text
};

/// One attempt. Functions return false if the map has another form; then the operation's content
/// does not count.
class PlainOp : public PlainText {
 public:
  PlainOp(OpMapReader& reader, OpMap& op)
      : PlainText(reader.scanner_.ahead().data()), reader_(reader), op_(op) {}

  ELAPID_INLINE bool read() {
    skip_space();
    op_.offset = reader_.scanner_.offset_of(at_);
    if (!take('{')) {
      return false;
    }
    unsigned seen = 0;
    do {
      if (!read_field(seen)) {
        return false;
      }
      if (*at_ == ',') {
        ++at_;
      }
    } while (take(' '));
    return at_[-1] != ',' && take('}');
  }

 private:
  /// Reads a key that has not come yet, and its value.
  ELAPID_INLINE bool read_field(unsigned& seen) {
    enum : unsigned {
      kType = 1,
      kIndex = 2,
      kTime = 4,
      kProcess = 8,
      kF = 16,
      kValue = 32,
      kExtra = 64
    };

    const auto is_new = [&seen](unsigned field) {
      const bool was_seen = (seen & field) != 0;
      seen |= field;
      return !was_seen;
    };
    if (!take(':')) {
      return false;
    }
    switch (*at_) {
      case 'i':
        return take("index ") && is_new(kIndex) && take_number(op_.index.emplace());
      case 't':
        return take("time ") ? is_new(kTime) && take_number(op_.time.emplace())
                             : take("type :") && is_new(kType) && read_type();
      case 'p':
        op_.process_kind = ProcessKind::kClient;
        return take("process ") && is_new(kProcess) && take_number(op_.process);
      case 'f':
        return take("f :") && is_new(kF) && read_f();
      case 'v':
        return take("value ") && is_new(kValue) && read_value();
      default:
        return is_new(kExtra) && read_extra();
    }
  }

  ELAPID_INLINE bool read_type() {
    op_.type = take("ok")       ? EventType::kOk
               : take("invoke") ? EventType::kInvoke
               : take("fail")   ? EventType::kFail
                                : EventType::kInfo;
    return (op_.type != EventType::kInfo || take("info")) && edn::has_bit(*at_, edn::kEndsTokenBit);
  }

  ELAPID_INLINE bool read_f() {
    const std::string_view keyword = take_keyword();
    if (keyword.empty()) {
      return false;
    }
    op_.f = reader_.function(keyword);
    return true;
  }

  ELAPID_INLINE bool read_value() {
    if (take("nil")) {
      op_.is_nil = true;
      return edn::has_bit(*at_, edn::kEndsTokenBit);
    }
    op_.has_value = true;
    if (reader_.has_own_values_ || *at_ != '[') {
      return read_one_value();
    }
    ++at_;
    op_.begins_mops = true;
    do {
      if (!read_mop()) {
        return false;
      }
    } while (take(' '));
    return take(']');
  }

  /// Reads a value that is not of micro-operations.
  ELAPID_INLINE bool read_one_value() {
    op_.is_one_value = true;
    op_.value_offset = reader_.scanner_.offset_of(at_);
    op_.whole.is_collection = *at_ == '[' || *at_ == '{';
    return read_form(reader_.has_own_values_ ? kUsualDepth : 0, op_.whole.text);
  }

  ELAPID_INLINE bool read_form(unsigned depth, std::string& text) {
    PlainForm form(at_, text);
    const bool is_taken = form.append_form(depth);
    at_ = form.end();
    return is_taken;
  }

  /// Reads a further key, whose colon was skipped, and its value. The value counts if the key is a
  /// field of the workload.
  ELAPID_INLINE bool read_extra() {
    const std::string_view key = take_keyword();
    if (key.empty() || key == ":isolation" || key == ":valid?" || !take(' ')) {
      return false;
    }
    op_.has_extras = true;
    reader_.text_.clear();
    const bool is_field = std::ranges::find(reader_.fields_, key) != reader_.fields_.end();
    std::string& text =
        is_field ? op_.fields.emplace_back(key, std::string()).second : reader_.text_;
    return read_form(kUsualDepth, text);
  }

  ELAPID_INLINE bool read_mop() {
    if (!take("[:")) {
      return false;
    }
    MopInput mop;
    const std::uint64_t place = reader_.scanner_.offset_of(at_ - 1);
    if (take("append ")) {
      mop.kind = OpKind::kAppend;
    } else if (take("w ")) {
      mop.kind = OpKind::kWrite;
    } else if (!take("r ")) {
      return false;
    }
    op_.note_mop(mop.kind, place);
    ValueId key;
    if (!read_scalar(key) || !take(' ') || !read_mop_value(mop, key) || !take(']')) {
      return false;
    }
    set_key_name(mop, key);
    op_.mops.push_back(mop);
    return true;
  }

  ELAPID_INLINE bool read_mop_value(MopInput& mop, ValueId key) {
    if (mop.kind != OpKind::kRead) {
      return read_scalar(mop.value);
    }
    if (take("nil")) {
      return true;
    }
    return reader_.has_lists_ ? take('[') && read_list(mop, key) : read_scalar(mop.value);
  }

  ELAPID_INLINE bool read_scalar(ValueId& value) {
    if (take(':')) {
      const std::string_view keyword = take_keyword();
      value = keyword.empty() ? ValueId::nil() : reader_.values_.intern(keyword);
      return !keyword.empty();
    }
    std::int64_t number = 0;
    if (!take_number(number)) {
      return false;
    }
    value = reader_.values_.integer(number);
    return true;
  }

  /// Reads the elements of a list, and its closing bracket.
  ELAPID_INLINE bool read_list(MopInput& mop, ValueId key) {
    mop.kind = OpKind::kReadList;
    mop.list_begin = static_cast<std::uint32_t>(op_.elements.size());
    if (!take(']')) {
      const char* const begin = at_;
      KnownList& known = reader_.known_lists_.of(key);
      const char* const known_end = at_ = known.take(begin, op_.elements);
      const std::size_t same = op_.elements.size() - mop.list_begin;
      while (at_ == begin || take(' ')) {
        ValueId element;
        if (!read_scalar(element)) {
          return false;
        }
        op_.elements.push_back(element);
      }
      if (at_ != known_end) {
        known.learn({begin, at_}, std::span(op_.elements).subspan(mop.list_begin), same);
      }
      if (!take(']')) {
        return false;
      }
    }
    mop.list_length = static_cast<std::uint32_t>(op_.elements.size()) - mop.list_begin;
    return true;
  }

  static constexpr unsigned kUsualDepth = 6;

  OpMapReader& reader_;
  OpMap& op_;
};

bool OpMapReader::read_plain(OpMap& op) {
  // Where many in a row have another shape, only some of the next ones are looked at.
  constexpr std::uint64_t kMany = 16;
  constexpr std::uint64_t kSome = 64;
  if (!is_plain_ || (odd_in_a_row_ >= kMany && odd_in_a_row_ % kSome != 0)) {
    ++odd_in_a_row_;
    return false;
  }
  op.clear();
  PlainOp plain(*this, op);
  if (!plain.read()) {
    ++odd_in_a_row_;
    return false;
  }
  odd_in_a_row_ = 0;
  op.is_plain = !op.has_extras;
  scanner_.jump(plain.end());
  return true;
}

}  // namespace elapid
