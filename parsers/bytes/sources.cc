#include "parsers/bytes/sources.h"

#include <algorithm>
#include <limits>

namespace elapid {

Sources::Sources(std::unique_ptr<ByteSource> source) : path_(source->name()), is_directory_(false) {
  std::string name = source->name();
  files_.push_back({std::move(name), std::move(source)});
}

Result<std::uint16_t> Sources::add(std::string path) {
  if (files_.size() > std::numeric_limits<std::uint16_t>::max()) {
    return Error{.message = "expected at most 65,535 files in one history", .file = path_};
  }
  files_.push_back({std::move(path), nullptr});
  return static_cast<std::uint16_t>(files_.size() - 1);
}

std::vector<std::string> Sources::names() const {
  std::vector<std::string> names;
  names.reserve(files_.size());
  for (const File& file : files_) {
    names.push_back(file.name);
  }
  return names;
}

Result<ByteSource*> Sources::open(std::uint16_t file) {
  File& wanted = files_.at(file);
  if (wanted.source) {
    return wanted.source.get();
  }
  ELAPID_ASSIGN_OR_RETURN(std::unique_ptr<ByteSource> opened, open_source(wanted.name));
  if (open_.size() == kOpenFiles) {
    files_[open_.front()].source.reset();
    open_.erase(open_.begin());
  }
  open_.push_back(file);
  wanted.source = std::move(opened);
  wanted.source->set_line_limit(line_limit_);
  return wanted.source.get();
}

void Sources::set_line_limit(const LineLimit& limit) {
  line_limit_ = limit;
  for (const File& file : files_) {
    if (file.source) {
      file.source->set_line_limit(limit);
    }
  }
}

Error Sources::located(std::uint16_t file, Error error) {
  Result<ByteSource*> source = open(file);
  if (source) {
    return source.value()->located(std::move(error));
  }
  error.file = name(file);
  return error;
}

}  // namespace elapid
