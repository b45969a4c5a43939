#include "parsers/jepsen/edn_event.h"

#include <string>

#include "engine/ir/json_string.h"
#include "engine/ir/utf8.h"
#include "parsers/convert/events.h"
#include "parsers/convert/mops_text.h"

namespace elapid {

void append_edn_head(const EdnHead& head, FastText& out) {
  out << "{:index " << head.index;
  if (head.time) {
    out << ", :time " << *head.time;
  }
  out << ", :type :" << name(head.type) << ", :process ";
  if (head.is_nemesis) {
    out << ":nemesis";
  } else {
    out << head.process;
  }
  out << ", :f " << head.f;
}

namespace {

class EdnEventWriter : public PlainEventWriter {
 public:
  std::string_view write(const PlainEvent& event) override {
    text_.clear();
    if (event.is_silent) {
      return {};
    }
    f_.resize(1);
    f_ += event.function;
    append_edn_head({.index = event.index,
                     .time = event.time,
                     .type = event.type,
                     .process = event.process,
                     .is_nemesis = event.is_nemesis,
                     .f = f_},
                    text_);
    text_ << ", :value ";
    if (event.tuple_key) {
      text_ << '[' << *event.tuple_key << ' ';
    }
    append_value(event);
    if (event.tuple_key) {
      text_ << ']';
    }
    for (const PlainField& field : event.fields) {
      text_ << ", :" << field.name << ' ';
      append_edn(field.value, text_);
    }
    append_error(event);
    text_ << "}\n";
    return text_.view();
  }

 private:
  void append_error(const PlainEvent& event) {
    if (event.error.empty()) {
      return;
    }
    text_ << ", :error " << (event.message.empty() ? ":" : "[:") << event.error;
    if (!event.message.empty()) {
      text_ << ' ' << json_quoted(as_utf8(event.message)) << ']';  // EDN has JSON's escapes
    }
  }

  void append_value(const PlainEvent& event) {
    switch (event.shape) {
      case PlainValue::kNil:
        text_ << "nil";
        return;
      case PlainValue::kMops:
        return append_mops(event);
      case PlainValue::kNumber:
        text_ << event.numbers[0];
        return;
      case PlainValue::kPair:
        text_ << '[' << event.numbers[0] << ' ' << event.numbers[1] << ']';
        return;
      case PlainValue::kElements:
        return append_list(event.elements);
      case PlainValue::kBalances:
        return append_balances(event);
      case PlainValue::kTransfer:
        text_ << "{:from " << event.numbers[0] << ", :to " << event.numbers[1] << ", :amount "
              << event.numbers[2] << '}';
        return;
      case PlainValue::kKeyword:
        text_ << ':' << event.keyword;
        return;
      case PlainValue::kAsked:
        text_ << '[' << event.numbers[0] << " nil]";
        return;
      case PlainValue::kDenied:
        text_ << '[' << event.numbers[0] << " false]";
        return;
      case PlainValue::kAffirmed:
        text_ << '[' << event.numbers[0] << " true]";
        return;
      case PlainValue::kTree:
        return append_edn(*event.tree, text_);
    }
  }

  void append_mops(const PlainEvent& event) {
    std::string_view opening = "[[";
    for (const PlainMop& mop : event.mops) {
      if (mop.kind == OpKind::kRow) {
        text_ << opening;
        append_row_op(event, mop);
        opening = "] [";
        continue;
      }
      text_ << opening << edn_function(mop.kind) << mop.key << ' ';
      if (mop.kind == OpKind::kReadList) {
        append_list(event.elements.subspan(mop.list_begin, mop.list_length));
      } else if (mop.is_nil) {
        text_ << "nil";
      } else {
        text_ << mop.value;
      }
      opening = "] [";
    }
    text_ << (event.mops.empty() ? "[]" : "]]");
  }

  void append_row_op(const PlainEvent& event, const PlainMop& mop) {
    const PlainRowOp& op = event.row_ops[static_cast<std::size_t>(mop.value)];
    const auto found = event.elements.subspan(mop.list_begin, mop.list_length);
    static constexpr std::string_view kNames[] = {":insert ", ":rp ", ":up ", ":dp "};
    static constexpr std::string_view kNamesByKey[] = {":insert ", ":r ", ":update ", ":delete "};
    const bool is_by_key = op.by == PlainRowsBy::kRow;
    text_ << (is_by_key ? kNamesByKey : kNames)[static_cast<std::size_t>(op.kind)];
    if (op.kind == PlainRowKind::kInsert) {
      text_ << op.key << ' ';
      return append_row(op.group, op.value, op.unique);
    }
    if (is_by_key) {
      return append_op_by_key(op, found);
    }
    append_predicate(op);
    if (op.kind == PlainRowKind::kUpdate) {
      text_ << " {:v " << op.value << ", :u " << op.unique << '}';
    }
    text_ << ' ';
    if (mop.is_nil) {
      text_ << "nil";
      return;
    }
    if (mop.tells_rows) {
      text_ << '#';
      append_elements(found, '{', '}');
      return;
    }
    if (op.kind != PlainRowKind::kRead) {
      text_ << found.front();
      return;
    }
    text_ << '{';
    for (std::size_t i = 0; i + 3 < found.size(); i += 4) {
      text_ << (i == 0 ? "" : ", ") << found[i] << ' ';
      append_row(found[i + 1], found[i + 2], found[i + 3]);
    }
    text_ << '}';
  }

  /// The key, what is written, what was read.
  void append_op_by_key(const PlainRowOp& op, std::span<const std::int64_t> found) {
    text_ << op.low;
    if (op.kind == PlainRowKind::kUpdate) {
      text_ << " {:v " << op.value << ", :u " << op.unique << '}';
    } else if (op.kind == PlainRowKind::kRead && found.empty()) {
      text_ << " nil";
    } else if (op.kind == PlainRowKind::kRead) {
      text_ << ' ';
      append_row(found[1], found[2], found[3]);
    }
  }

  void append_row(std::int64_t group, std::int64_t value, std::int64_t unique) {
    text_ << "{:g " << group << ", :v " << value << ", :u " << unique << '}';
  }

  void append_predicate(const PlainRowOp& op) {
    switch (op.by) {
      case PlainRowsBy::kRow:
      case PlainRowsBy::kKeys:
        text_ << "[:key " << op.low << ' ' << op.high << ']';
        return;
      case PlainRowsBy::kGroup:
        text_ << "[:= :g " << op.group << ']';
        return;
      case PlainRowsBy::kValues:
        text_ << "[:in :v " << op.low << ' ' << op.high << ']';
        return;
      case PlainRowsBy::kValuesOfGroup:
        text_ << "[:and [:= :g " << op.group << "] [:in :v " << op.low << ' ' << op.high << "]]";
        return;
    }
  }

  void append_list(std::span<const std::int64_t> elements) { append_elements(elements, '[', ']'); }

  void append_elements(std::span<const std::int64_t> elements, char opening, char closing) {
    text_ << opening;
    for (std::size_t i = 0; i < elements.size(); ++i) {
      text_ << (i == 0 ? "" : " ") << elements[i];
    }
    text_ << closing;
  }

  void append_balances(const PlainEvent& event) {
    std::string_view opening = "{";
    for (const PlainMop& mop : event.mops) {
      text_ << opening << mop.key << ' ' << mop.value;
      opening = ", ";
    }
    text_ << (event.mops.empty() ? "{}" : "}");
  }

  FastText text_;
  std::string f_ = ":";
};

}  // namespace

std::unique_ptr<PlainEventWriter> make_edn_event_writer(const EventStream& /*stream*/) {
  return std::make_unique<EdnEventWriter>();
}

}  // namespace elapid
