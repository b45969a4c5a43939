// Decides whether this program's files are brought to the disk at once, or by the system later.
#pragma once

namespace elapid {

/// From now on files are renamed before they have reached the disk: a power cut may lose them. For
/// programs whose caller waits for the disk, once for many files.
void leave_disk_to_system();

[[nodiscard]] bool is_disk_left_to_system();

}  // namespace elapid
