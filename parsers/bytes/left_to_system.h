// Whether the files of this program are brought to the disk at once, or when the system sees fit.
#pragma once

namespace elapid {

/// From now on files are put in their places before they have reached the disk: a power cut may
/// lose them. For programs whose caller waits for the disk, once for many files.
void leave_disk_to_system();

[[nodiscard]] bool is_disk_left_to_system();

}  // namespace elapid
