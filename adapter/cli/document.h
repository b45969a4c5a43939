// A small tree of data that prints as EDN or as JSON: what `info`, `levels` and `lint` answer.
#ifndef ELAPID_ADAPTER_CLI_DOCUMENT_H_
#define ELAPID_ADAPTER_CLI_DOCUMENT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace elapid {

enum class Output : std::uint8_t { kText, kEdn, kJson };
[[nodiscard]] std::optional<Output> find_output(std::string_view name);

/// A value. Maps keep the order of their entries; their keys are keywords in EDN, strings in JSON.
class Document {
 public:
  using List = std::vector<Document>;
  using Map = std::vector<std::pair<std::string, Document>>;
  struct Keyword {
    std::string name;
  };
  /// Text that is EDN or JSON already, to be printed as it is.
  struct Printed {
    std::string text;
  };

  Document() = default;  ///< nil, or null
  Document(bool value) : value_(value) {}                     // NOLINT(google-explicit-constructor)
  Document(std::int64_t value) : value_(value) {}             // NOLINT(google-explicit-constructor)
  Document(double value) : value_(value) {}                   // NOLINT(google-explicit-constructor)
  Document(Keyword value) : value_(std::move(value)) {}       // NOLINT(google-explicit-constructor)
  Document(Printed value) : value_(std::move(value)) {}       // NOLINT(google-explicit-constructor)
  Document(std::string value) : value_(std::move(value)) {}   // NOLINT(google-explicit-constructor)
  Document(std::string_view value) : Document(std::string(value)) {}  // NOLINT(google-explicit-constructor)
  Document(const char* value) : Document(std::string(value)) {}       // NOLINT(google-explicit-constructor)
  Document(List value) : value_(std::move(value)) {}          // NOLINT(google-explicit-constructor)
  Document(Map value) : value_(std::move(value)) {}           // NOLINT(google-explicit-constructor)

  /// A count, of which there are never more than fit.
  static Document count(std::size_t n) { return static_cast<std::int64_t>(n); }
  static Document keyword(std::string_view name) { return Keyword{std::string(name)}; }

  /// On one line, without a newline at its end. `output` is kEdn or kJson.
  [[nodiscard]] std::string print(Output output) const;

 private:
  void append(Output output, std::string& out) const;

  std::variant<std::monostate, bool, std::int64_t, double, Keyword, Printed, std::string, List, Map>
      value_;
};

}  // namespace elapid

#endif  // ELAPID_ADAPTER_CLI_DOCUMENT_H_
