// SPDX-License-Identifier: MIT
// NumPy's .npy files (format versions 1 to 3, described in numpy/lib/format.py): magic, version, a Python dictionary
// literal with 'descr', 'fortran_order' and 'shape', then the elements. Little-endian numbers and bool; arrays in
// Fortran order are brought to row-major.
#pragma once

#include <string>
#include <vector>

#include "compute/io/array.h"

namespace hcq::compute::io {

// `subject` names the source in errors. Errc::corrupt for what is no such file, is cut, or has bytes left over;
// Errc::unsupported for element types that hcq does not have.
Result<Array> parse_npy(Bytes file, const std::string& subject);
Result<Array> read_npy(const std::string& path);

// Version 1, data aligned to 64 bytes; types without a NumPy name (bf16) are Errc::unsupported.
Result<std::vector<std::byte>> format_npy(const Array& array);
Status write_npy(const std::string& path, const Array& array);

}  // namespace hcq::compute::io
