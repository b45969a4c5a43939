// The lines of all clients of a socket.
#pragma once

#include <poll.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "parsers/bytes/file_descriptor.h"
#include "parsers/lines/line_buffer.h"
#include "parsers/lines/line_numbers.h"
#include "parsers/lines/line_source.h"
#include "parsers/lines/listener.h"
#include "parsers/lines/patience.h"

namespace elapid {

class SocketLines : public LineSource {
 public:
  SocketLines(Listener listener, std::size_t longest_line)
      : LineSource(listener.name()), longest_line_(longest_line) {
    listener_.emplace(std::move(listener));
  }

  Result<Lines> next(std::chrono::milliseconds patience) override;

  void finish() override { listener_.reset(); }

  [[nodiscard]] bool has_several_writers() const override { return true; }

  [[nodiscard]] std::optional<std::string> take_notice() override;

 private:
  struct Client {
    FileDescriptor fd;
    LineBuffer buffer;
  };

  [[nodiscard]] bool has_room() const { return clients_.size() < most_clients_; }

  std::optional<Result<Lines>> take();
  Wait wait(const Patience& patience);
  void read_clients();
  void read(Client& client);
  void part_with(Client& client);
  void accept();

  std::size_t longest_line_;
  std::optional<Listener> listener_;  // until finish()
  std::vector<Client> clients_;
  std::vector<pollfd> waiting_;  // for each client, then for the listener
  std::size_t first_ = 0;        // the client whose turn it is
  std::size_t most_clients_ = 1024;
  bool was_full_ = false;  // as last reported
  std::string text_;       // lines that arrived and were not returned
  std::string handed_out_;
  std::size_t overflows_ = 0;  // lines that were too long and not yet reported
  LineNumbers numbers_;
  std::uint64_t offset_ = 0;
};

}  // namespace elapid
