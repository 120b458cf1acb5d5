// What the program sees to before it does anything, since a caller may have set it otherwise: that
// a file that grows too large is an error, and that the standard streams exist.
#pragma once

namespace pgo {

// With a limit on the size of files (ulimit -f) the kernel ends a process that exceeds it, by
// SIGXFSZ, and its temporary files would stay. After this call, write() fails with EFBIG instead.
// Programs that are started get the signal's default action, or have it ignored if this process was
// started so.
void survive_file_size_limit();

// A standard stream that the caller closed would be the number of the next file that is opened, and
// what is printed would go into that file. After this call, reading from such a stream or writing
// to it fails. Programs that are started find it closed, as this one did.
void reserve_standard_streams();

}  // namespace pgo
