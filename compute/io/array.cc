// SPDX-License-Identifier: MIT
#include "compute/io/array.h"

namespace hcq::compute::io {

Result<std::uint64_t> dense_bytes(const Shape& shape, ir::DType t, const std::string& subject) {
  const Error bad{
      .code = Errc::corrupt, .operation = "read array", .subject = subject, .detail = "shape " + to_string(shape)};
  // Extents of zero make the array empty, however large the others claim to be.
  unsigned __int128 n = t.bytes();
  bool empty = false;
  for (std::int64_t d : shape) {
    if (d < 0) return bad;
    empty |= d == 0;
    n *= d == 0 ? 1 : static_cast<std::uint64_t>(d);
    if (n >> 62) return bad;
  }
  return empty ? 0 : static_cast<std::uint64_t>(n);
}

}  // namespace hcq::compute::io
