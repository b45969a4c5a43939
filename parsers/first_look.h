// The part of an input that detection sees: the beginning of a file, or the names in a directory.
// Each format looks at it and says what speaks for the format (parsers/format.h).
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace re2 {
class RE2;
}  // namespace re2

namespace elapid {

/// A regular expression in RE2's syntax, which is compiled once a text may match it.
class Pattern {
 public:
  /// `begins`: the characters with which a text that matches can begin; `holds`: texts, one of
  /// which it contains. Empty: any. A text that lacks them is refused before anything is compiled.
  explicit Pattern(const char* expression, std::string_view begins = {},
                   std::vector<std::string_view> holds = {});
  Pattern(const Pattern&) = delete;
  Pattern& operator=(const Pattern&) = delete;
  ~Pattern();

  /// Whether some part of the text matches.
  [[nodiscard]] bool is_in(std::string_view text) const;

 private:
  const char* text_;
  std::string_view begins_;
  std::vector<std::string_view> holds_;
  mutable std::once_flag is_needed_ = {};
  mutable std::unique_ptr<re2::RE2> expression_;
};

/// The first form of a text in EDN or JSON, or the first one inside a vector or an array.
struct FirstForm {
  bool is_enclosed = false;      ///< the text begins with `[`, and the form is behind it
  char opening = '\0';           ///< the form's first character
  std::string_view inside = {};  ///< what follows the opening
  char first = '\0';             ///< the first character inside that is not blank

  /// Whether it is an object of JSON: its first key is a string.
  [[nodiscard]] bool is_object() const { return opening == '{' && first == '"'; }

  /// Whether this is a key of JSON somewhere in what can be seen. Linear in that.
  [[nodiscard]] bool has_key(std::string_view key) const;
};

/// The beginning of a file.
struct FileLook {
  static constexpr std::size_t kBytes = std::size_t{1} << 16;

  /// Borrows up to kBytes bytes; a byte order mark before them is left out.
  explicit FileLook(std::string_view head);

  std::string_view bytes;       ///< all, whether text or not
  std::string_view text;        ///< the same without the white space, and EDN's commas, before it
  std::string_view first_line;  ///< of `text`
  FirstForm form;
};

/// The regular files of a directory.
class DirectoryLook {
 public:
  /// Lists the directory; one that cannot be read has no files.
  explicit DirectoryLook(std::string path);

  [[nodiscard]] bool has(std::string_view name) const;

  [[nodiscard]] std::string path_of(std::string_view name) const;

  /// Files whose names begin and end so, in the order of their names.
  [[nodiscard]] std::vector<std::string> files(std::string_view begin, std::string_view end) const;

  /// The first bytes of a file, at most so many; none of one that cannot be read.
  [[nodiscard]] std::string head_of(std::string_view name, std::size_t bytes) const;

 private:
  std::string path_;
  std::vector<std::string> names_;  // sorted
};

}  // namespace elapid
