#include "adapter/elle/result_value_text.h"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace elapid {

namespace {

using Kind = ResultValue::Kind;

class ValueWriter {
 public:
  ValueWriter(DocumentWriter& out, const History& history, const EventFieldsFn& fields)
      : out_(out), history_(history), fields_(fields) {}

  void write(const ResultValue& value) {
    switch (value.kind) {
      case Kind::kNil:
        return out_.nil();
      case Kind::kBoolean:
        return out_.boolean(value.integer != 0);
      case Kind::kInteger:
        return out_.integer(value.integer);
      case Kind::kString:
        return out_.string(value.text);
      case Kind::kKeyword:
        return out_.keyword(value.text);
      case Kind::kForm:
        return out_.form(value.text);
      case Kind::kValue:
        return write_value(out_, history_, value.value);
      case Kind::kEvent:
        return write_operation(value);
      case Kind::kVector:
        return write_all(Container::kVector, value);
      case Kind::kList:
        return write_all(Container::kList, value);
      case Kind::kSet:
        return write_all(Container::kSet, value);
      case Kind::kMap:
        return write_all(Container::kMap, value);
    }
  }

 private:
  void write_all(Container container, const ResultValue& value) {
    out_.open(container);
    for (std::size_t i = 0; i < value.items.size(); ++i) {
      const ResultValue& item = value.items[i];
      const bool is_key = container == Container::kMap && i % 2 == 0;
      if (is_key && item.kind == Kind::kKeyword) {
        out_.key(item.text);
      } else {
        write(item);
      }
    }
    out_.close();
  }

  void write_operation(const ResultValue& value) {
    EventStyle style = {.has_value = value.integer == 0};
    style.write_more = [&] {
      for (std::size_t i = 0; i + 1 < value.items.size(); i += 2) {
        out_.key(value.items[i].text);
        write(value.items[i + 1]);
      }
    };
    write_event_with(out_, history_, value.ref, fields_, style,
                     [&] { write_event_ops(out_, history_, value.ref); });
  }

  DocumentWriter& out_;
  const History& history_;
  const EventFieldsFn& fields_;
};

void write_numbers(DocumentWriter& out, const NumberLists& lists) {
  out.open(Container::kVector);
  for (const std::vector<std::int64_t>& list : lists) {
    out.open(Container::kVector);
    for (const std::int64_t number : list) {
      out.integer(number);
    }
    out.close();
  }
  out.close();
}

}  // namespace

void write_entries(DocumentWriter& out, const History& history, const Verdict& verdict,
                   const EventFieldsFn& fields, std::size_t max_bytes) {
  for (const ResultEntry& entry : verdict.entries) {
    out.key(entry.key);
    if (const auto* number = std::get_if<std::int64_t>(&entry.value)) {
      out.integer(*number);
    } else if (const auto* lists = std::get_if<NumberLists>(&entry.value)) {
      write_numbers(out, *lists);
    } else if (const auto* value = std::get_if<ResultValue>(&entry.value)) {
      ValueWriter(out, history, fields).write(*value);
    } else {
      const std::size_t share = max_bytes / verdict.entries.size();
      out.string(shortened(std::get<std::string>(entry.value), share));
    }
  }
}

}  // namespace elapid
