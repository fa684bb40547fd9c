# SPDX-License-Identifier: MIT
# LLVM 22 when it is there, 19 otherwise. compute/codegen/llvm_compat.h hides what differs between the two.
find_package(LLVM 22.1 QUIET CONFIG HINTS /usr/lib/llvm-22)
if(NOT LLVM_FOUND)
  find_package(LLVM 19.1 REQUIRED CONFIG HINTS /usr/lib/llvm-19)
endif()
message(STATUS "LLVM ${LLVM_PACKAGE_VERSION}")

add_library(hcq_llvm INTERFACE)
target_include_directories(hcq_llvm SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
target_link_libraries(hcq_llvm INTERFACE LLVM)
