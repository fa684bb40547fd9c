# SPDX-License-Identifier: MIT
# LLVM 22 when it is there, 19 otherwise; HCQ_LLVM=19 or 22 asks for that one. compute/codegen/llvm_compat.h hides what
# differs between the two.
set(HCQ_LLVM "" CACHE STRING "LLVM version to use (22 or 19); empty: the newest of them that is installed")
if(NOT HCQ_LLVM STREQUAL "19")
  find_package(LLVM 22.1 QUIET CONFIG HINTS /usr/lib/llvm-22)
endif()
if(NOT LLVM_FOUND AND NOT HCQ_LLVM STREQUAL "22")
  find_package(LLVM 19.1 QUIET CONFIG HINTS /usr/lib/llvm-19)
endif()
if(NOT LLVM_FOUND)
  message(FATAL_ERROR "LLVM ${HCQ_LLVM} is not installed (Debian packages llvm-22-dev, llvm-19-dev)")
endif()
message(STATUS "LLVM ${LLVM_PACKAGE_VERSION}")

add_library(hcq_llvm INTERFACE)
target_include_directories(hcq_llvm SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
target_link_libraries(hcq_llvm INTERFACE LLVM)
