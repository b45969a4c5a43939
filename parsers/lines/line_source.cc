#include "parsers/lines/line_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "parsers/bytes/file_descriptor.h"
#include "parsers/lines/descriptor_lines.h"
#include "parsers/lines/listener.h"
#include "parsers/lines/socket_lines.h"

namespace elapid {

namespace {

Result<std::unique_ptr<LineSource>> listen_at(const std::string& where, std::size_t longest_line) {
  ELAPID_ASSIGN_OR_RETURN(Listener listener, Listener::open(where));
  return std::unique_ptr<LineSource>(
      std::make_unique<SocketLines>(std::move(listener), longest_line));
}

}  // namespace

Result<std::unique_ptr<LineSource>> open_line_source(const std::string& where,
                                                     std::size_t longest_line) {
  if (Listener::is_address(where)) {
    return listen_at(where, longest_line);
  }
  const bool is_stdin = where == "-";
  // Opening a named pipe must not wait for a writer.
  FileDescriptor fd =
      is_stdin ? FileDescriptor::duplicate(STDIN_FILENO)
               : FileDescriptor(::open(where.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat info = {};
  if (!fd.is_open() || ::fstat(fd.get(), &info) != 0) {
    return system_error(where, "cannot be opened");
  }
  if (S_ISDIR(info.st_mode)) {
    return Error{.kind = ErrorKind::kUnreadable, .message = "is a directory", .file = where};
  }
  const bool grows = S_ISREG(info.st_mode) && !is_stdin;
  return std::unique_ptr<LineSource>(
      std::make_unique<DescriptorLines>(where, std::move(fd), grows, longest_line));
}

}  // namespace elapid
