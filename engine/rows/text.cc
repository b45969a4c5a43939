#include "engine/rows/text.h"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "engine/rows/words.h"

namespace elapid::rows {

namespace {

constexpr std::size_t kWholeResult = 8;  // results of so many rows are never cut down
constexpr std::size_t kFirstRows = 2;    // the rows shown of a longer result

class OpText {
 public:
  explicit OpText(const History& history) : history_(history), rows_(*history.info().rows) {}

  std::string take() { return std::move(text_); }

  /// Leaves out the rows of long results, except the first ones and those with these keys. Cuts
  /// long names.
  void show_only(std::span<const ValueId> keys) {
    is_cut_down_ = true;
    keys_ = keys;
    cut_names();
  }

  void cut_names() { cuts_names_ = true; }

  void op(const RowOp& op) {
    text_ += '[';
    text_ += name(op.kind);
    if (op.has_predicate()) {
      text_ += ' ';
      predicate(rows_.predicate(op));
    } else {
      text_ += ' ';
      key(op.row);
    }
    if (writes_columns(op.kind)) {
      text_ += ' ';
      fields(rows_.written(op));
    }
    result(op);
    if (!op.is_read() && !op.version.is_none() && !op.version.is_nil()) {
      text_ += " #v ";
      value(op.version);
    }
    text_ += ']';
  }

  /// `read rows with :age = 15: 7 {:age 15}`.
  void words(const RowOp& op) {
    text_ += verb(op.kind);
    op.has_predicate() ? rows_in_words(op) : row_in_words(op.row);
    if (writes_columns(op.kind)) {
      text_ += is_change(op.kind) ? " to " : has_single_values() ? " = " : " ";
      fields(rows_.written(op));
    }
    result_in_words(op);
    if (!op.is_read() && !op.version.is_none() && !op.version.is_nil()) {
      text_ += " as version ";
      value(op.version);
    }
  }

  /// `7 {:age 15}`.
  void content_of(const RowOp& insert) {
    text_ += history_.key_text(insert.row) + ' ';
    fields(rows_.written(insert));
  }

  void predicate(const Predicate& is) {
    using Kind = Predicate::Kind;
    switch (is.kind) {
      case Kind::kTrue:
        text_ += ":true";
        return;
      case Kind::kEqual:
        open("[:=", is.column);
        value(is.value);
        break;
      case Kind::kRange:
        open("[:in", is.column);
        numbers(is.low, is.high);
        break;
      case Kind::kMod:
        open("[:mod", is.column);
        numbers(is.high, is.low);
        break;
      case Kind::kKeyRange:
        text_ += "[:key ";
        numbers(is.low, is.high);
        break;
      case Kind::kPresent:
        open("[:present", is.column);
        text_.pop_back();
        break;
      case Kind::kNot:
        parts("[:not", is);
        break;
      case Kind::kAnd:
        parts("[:and", is);
        break;
      case Kind::kOr:
        parts("[:or", is);
        break;
    }
    text_ += ']';
  }

 private:
  [[nodiscard]] bool has_single_values() const {
    return rows_.column_count() == 1 && rows_.column_name({0}).is_none();
  }

  [[nodiscard]] std::string_view name(RowOpKind kind) const {
    switch (kind) {
      case RowOpKind::kInsert:
        return ":insert";
      case RowOpKind::kUpdate:
        return ":update";
      case RowOpKind::kPut:
        return has_single_values() ? ":w" : ":put";
      case RowOpKind::kDelete:
        return ":delete";
      case RowOpKind::kRead:
        return ":r";
      case RowOpKind::kPredicateRead:
        return ":rp";
      case RowOpKind::kPredicateUpdate:
        return ":up";
      case RowOpKind::kPredicateDelete:
        break;
    }
    return ":dp";
  }

  static bool is_change(RowOpKind kind) {
    return kind == RowOpKind::kUpdate || kind == RowOpKind::kPredicateUpdate;
  }

  [[nodiscard]] std::string_view verb(RowOpKind kind) const {
    switch (kind) {
      case RowOpKind::kInsert:
        return "insert ";
      case RowOpKind::kUpdate:
      case RowOpKind::kPredicateUpdate:
        return "update ";
      case RowOpKind::kPut:
        return has_single_values() ? "write " : "put ";
      case RowOpKind::kDelete:
      case RowOpKind::kPredicateDelete:
        return "delete ";
      case RowOpKind::kRead:
      case RowOpKind::kPredicateRead:
        break;
    }
    return "read ";
  }

  void row_in_words(KeyId row) {
    text_ += "row ";
    key(row);
  }

  void rows_in_words(const RowOp& op) {
    const Predicate& is = rows_.predicate(op);
    const bool is_all = is.kind == Predicate::Kind::kTrue;
    if (op.first > 0) {
      text_ += "the first " + std::to_string(op.first) + ' ';
    } else if (is_all) {
      text_ += "all ";
    }
    text_ += "rows";
    text_ += is_all ? "" : " with " + condition_words(history_, is);
  }

  void result_in_words(const RowOp& op) {
    switch (op.known) {
      case Known::kNothing:
        break;
      case Known::kCount:
        text_ += op.count == 0   ? ": none"
                 : op.count == 1 ? ": 1 row"
                                 : ": " + std::to_string(op.count) + " rows";
        break;
      case Known::kAny:
        text_ += op.count > 0 ? ": some" : ": none";
        break;
      case Known::kKeys:
      case Known::kBag:
      case Known::kVersions:
      case Known::kValues:
        if (op.kind != RowOpKind::kRead) {
          text_ += op.shown_count > 0 ? ": " : ": none";
          list(op, ", ");
        } else if (op.shown_count == 0) {
          text_ += ": not there";
        } else if (op.known == Known::kKeys) {
          text_ += ": there";
        } else {
          text_ += " = ";
          read_content(op);
        }
    }
  }

  void value(ValueId is) {
    if (cuts_names_) {
      text_ += history_.shown_text(is);
    } else {
      history_.values().append_text(is, text_);
    }
  }

  void key(KeyId row) { value(history_.key_value(row)); }

  void open(std::string_view start, ColumnId column) {
    text_ += start;
    text_ += ' ';
    if (!rows_.column_name(column).is_none()) {
      value(rows_.column_name(column));
      text_ += ' ';
    }
  }

  void numbers(std::int64_t first, std::int64_t second) {
    text_ += std::to_string(first) + ' ' + std::to_string(second);
  }

  void parts(std::string_view start, const Predicate& is) {
    text_ += start;
    for (const Predicate& part : is.parts) {
      text_ += ' ';
      predicate(part);
    }
  }

  void fields(std::span<const Field> are) {
    if (are.size() == 1 && rows_.column_name(are.front().column).is_none()) {
      value(are.front().value);
      return;
    }
    text_ += '{';
    for (const Field& field : are) {
      text_ += text_.back() == '{' ? "" : " ";
      value(rows_.column_name(field.column));
      text_ += ' ';
      value(field.value);
    }
    text_ += '}';
  }

  void result(const RowOp& op) {
    switch (op.known) {
      case Known::kNothing:
        if (op.is_read()) {
          text_ += " nil";
        }
        return;
      case Known::kCount:
        text_ += ' ' + std::to_string(op.count);
        break;
      case Known::kAny:
        text_ += op.count > 0 ? " true" : " false";
        break;
      case Known::kKeys:
        if (op.kind == RowOpKind::kRead) {
          text_ += op.shown_count > 0 ? " {}" : " nil";
        } else {
          listed(op, " #{", '}');
        }
        break;
      case Known::kBag:
        listed(op, " [", ']');
        break;
      case Known::kVersions:
      case Known::kValues:
        if (op.kind == RowOpKind::kRead) {
          text_ += ' ';
          read_content(op);
        } else {
          listed(op, " {", '}');
        }
        break;
    }
    if (op.first > 0) {
      text_ += " {:first " + std::to_string(op.first) + '}';
    }
  }

  void listed(const RowOp& op, std::string_view open, char close) {
    text_ += open;
    list(op, " ");
    text_ += close;
  }

  void list(const RowOp& op, std::string_view separator) {
    const std::span<const ShownRow> all = rows_.shown(op);
    const bool is_whole = !is_cut_down_ || all.size() <= kWholeResult;
    bool in_gap = false;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const bool is_here = is_whole || i < kFirstRows || is_at_issue(all[i].row);
      if (!is_here && in_gap) {
        continue;
      }
      text_ += i == 0 ? "" : separator;
      is_here ? shown(op, all[i]) : static_cast<void>(text_ += "…");
      in_gap = !is_here;
    }
  }

  [[nodiscard]] bool is_at_issue(KeyId row) const {
    return !row.is_none() && std::ranges::find(keys_, history_.key_value(row)) != keys_.end();
  }

  void shown(const RowOp& op, const ShownRow& row) {
    if (op.known != Known::kBag) {
      key(row.row);
    }
    if (op.known == Known::kVersions || op.known == Known::kValues) {
      text_ += ' ';
    }
    if (op.known != Known::kKeys) {
      content(op, row);
    }
  }

  void read_content(const RowOp& op) {
    if (op.shown_count > 0) {
      content(op, rows_.shown(op).front());
    } else {
      text_ += "nil";
    }
  }

  void content(const RowOp& op, const ShownRow& row) {
    if (op.known == Known::kVersions) {
      text_ += "#v ";
      value(row.version);
    } else {
      fields(rows_.fields(row));
    }
  }

  const History& history_;
  const Rows& rows_;
  bool is_cut_down_ = false;
  bool cuts_names_ = false;
  std::span<const ValueId> keys_ = {};
  std::string text_;
};

}  // namespace

std::string text(const History& history, Op op) {
  OpText out(history);
  out.op(history.info().rows->op(op));
  return out.take();
}

std::string elided_text(const History& history, Op op, std::span<const ValueId> keys) {
  OpText out(history);
  out.show_only(keys);
  out.op(history.info().rows->op(op));
  return out.take();
}

std::string elided_words(const History& history, Op op, std::span<const ValueId> keys) {
  OpText out(history);
  out.show_only(keys);
  out.words(history.info().rows->op(op));
  return out.take();
}

std::string shown_text(const History& history, Op op) {
  OpText out(history);
  out.cut_names();
  out.op(history.info().rows->op(op));
  return out.take();
}

std::string text_as_asked(const History& history, Op op) {
  RowOp asked = history.info().rows->op(op);
  asked.known = Known::kNothing;
  asked.first = 0;
  OpText out(history);
  out.op(asked);
  return out.take();
}

std::string text_as_completed(const History& history, Op op) {
  const RowOp& row_op = history.info().rows->op(op);
  const bool is_unknown = row_op.kind == RowOpKind::kRead && row_op.known == Known::kNothing;
  return is_unknown ? "[:r " + history.key_text(row_op.row) + ']' : text(history, op);
}

std::string contents_text(const History& history, std::span<const Op> inserts) {
  const Rows& rows = *history.info().rows;
  const bool have_names = std::ranges::any_of(inserts, [&](Op op) {
    const ValueId version = rows.op(op).version;
    return !version.is_none() && !version.is_nil();
  });
  std::string all;
  for (const Op op : inserts) {
    all += all.empty() ? "" : " ";
    if (have_names) {
      all += text(history, op);
      continue;
    }
    OpText out(history);
    out.content_of(rows.op(op));
    all += out.take();
  }
  return have_names ? '[' + all + ']' : '{' + all + '}';
}

std::string text(const History& history, const Predicate& predicate) {
  OpText out(history);
  out.predicate(predicate);
  return out.take();
}

}  // namespace elapid::rows
