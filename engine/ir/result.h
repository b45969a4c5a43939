// Errors as values: the problem, and its place in the input.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace elapid {

/// The kind of an error; the command line turns it into an exit code.
enum class ErrorKind : std::uint8_t {
  kUsage,       ///< the request makes no sense (exit 64)
  kMalformed,   ///< the input is not what its format promises (exit 65)
  kUnreadable,  ///< the input cannot be opened or read (exit 66)
  kInternal,    ///< a bug in Elapid (exit 70)
};

/// One error. Position fields are absent where they make no sense.
struct Error {
  ErrorKind kind = ErrorKind::kMalformed;
  std::string message = {};                       ///< one line: what was expected, what was found
  std::string file = {};                          ///< empty when the input has no name
  std::optional<std::uint64_t> line = {};         ///< counted from 1
  std::optional<std::uint64_t> column = {};       ///< in bytes, counted from 1
  std::optional<std::uint64_t> byte_offset = {};  ///< counted from 0, in the decompressed input

  /// `file:line:column: message`, with the parts that are known. If the line is unknown and the
  /// byte offset is known: `file: byte N: message`.
  [[nodiscard]] std::string to_string() const;
};

/// An error of kind kUsage: the request makes no sense, and `message` says why.
[[nodiscard]] inline Error usage_error(std::string message) {
  return {.kind = ErrorKind::kUsage, .message = std::move(message)};
}

/// A value or an Error. Test it before use: reading the wrong side is a programming error, and
/// throws std::bad_variant_access.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value)
      : state_(std::in_place_index<0>, std::move(value)) {}  // NOLINT(google-explicit-constructor)

  Result(Error error)
      : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] bool ok() const { return state_.index() == 0; }

  explicit operator bool() const { return ok(); }

  [[nodiscard]] T& value() & { return std::get<0>(state_); }

  [[nodiscard]] const T& value() const& { return std::get<0>(state_); }

  [[nodiscard]] T&& value() && { return std::get<0>(std::move(state_)); }

  [[nodiscard]] Error& error() { return std::get<1>(state_); }

  [[nodiscard]] const Error& error() const { return std::get<1>(state_); }

 private:
  std::variant<T, Error> state_;
};

/// Success without a value, or an Error.
class [[nodiscard]] Status {
 public:
  // Not defaulted: `Status()` would then clear all bytes of an Error, which costs more than the
  // work of a small function.
  Status() noexcept {}

  Status(Error error) : error_(std::move(error)) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] bool ok() const { return !error_.has_value(); }

  explicit operator bool() const { return ok(); }

  [[nodiscard]] Error& error() { return *error_; }

  [[nodiscard]] const Error& error() const { return *error_; }

 private:
  std::optional<Error> error_;
};

}  // namespace elapid

/// If a Status or a Result is an error: returns the error from the calling function, whose result
/// is a Status or a Result too. Otherwise execution continues.
///
/// ```
/// Result<OutputFile> file = OutputFile::create(path);
/// ELAPID_RETURN_IF_ERROR(file);
/// ELAPID_RETURN_IF_ERROR(write_header(file.value()));
/// ```
#define ELAPID_RETURN_IF_ERROR(...)                                      \
  do {                                                                   \
    if (auto&& checked_outcome = (__VA_ARGS__); !checked_outcome.ok()) { \
      return std::move(checked_outcome.error());                         \
    }                                                                    \
  } while (false)

/// Declares a variable with the value of a Result, or returns its error as above.
///
/// ```
/// ELAPID_ASSIGN_OR_RETURN(OutputFile file, OutputFile::create(path));
/// ELAPID_RETURN_IF_ERROR(write_header(file));
/// ```
#define ELAPID_ASSIGN_OR_RETURN(declaration, ...)                                         \
  ELAPID_ASSIGN_OR_RETURN_BY(ELAPID_IN_THIS_LINE(result_of_line_, __LINE__), declaration, \
                             __VA_ARGS__)
#define ELAPID_ASSIGN_OR_RETURN_BY(result, declaration, ...) \
  auto result = (__VA_ARGS__);                               \
  if (!result.ok()) {                                        \
    return std::move(result.error());                        \
  }                                                          \
  declaration = std::move(result).value()
#define ELAPID_IN_THIS_LINE(name, line) ELAPID_JOIN_NAME(name, line)
#define ELAPID_JOIN_NAME(name, line) name##line
