// SPDX-License-Identifier: MIT
// Tensors in files, named on the command line: "A.npy", "W.safetensors", "W.safetensors:name".
#pragma once

#include <string>

#include "base/error.h"
#include "compute/tensor/tensor.h"

namespace hcq::run {

Result<compute::Tensor> load_tensor(const std::string& spec);

// Whether save_tensor would know what kind of file that is; asked before any work is done.
Status check_output(const std::string& spec);

// Writes a row-major value; readers of an existing file see the old or the new content, never a part of one.
Status save_tensor(const std::string& spec, compute::DType dtype, const compute::Shape& shape, Bytes data);

}  // namespace hcq::run
