# SPDX-License-Identifier: MIT
# hcq_library(name FOLDER folder [LINK ...] [PRIVATE ...] [EXPORT folder ...] [SOURCES file ...] [EXCLUDE pattern ...])
#
# One library per folder. Includes are written from the repository root ("base/error.h"), but the root is on nobody's
# include path: each library gets a directory of its own that holds one symbolic link to its folder. A target therefore
# sees exactly the folders it links to, and a forbidden include does not compile.
add_library(hcq_flags INTERFACE)
target_compile_options(hcq_flags INTERFACE -Wall -Wextra -Werror)
if(HCQ_SANITIZE)
  target_compile_options(hcq_flags INTERFACE -fsanitize=${HCQ_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  # GCC's flow analysis sees the sanitizers' own code and warns about variables that are always set.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(hcq_flags INTERFACE -Wno-maybe-uninitialized)
  endif()
  # GCC warns that ThreadSanitizer does not understand fences; where we have one, a release store follows it.
  if(HCQ_SANITIZE MATCHES "thread")
    target_compile_options(hcq_flags INTERFACE -Wno-tsan)
  endif()
  target_link_options(hcq_flags INTERFACE -fsanitize=${HCQ_SANITIZE})
endif()

function(hcq_export_folder tag folder)
  set(root ${CMAKE_BINARY_DIR}/include/${tag})
  get_filename_component(parent ${root}/${folder} DIRECTORY)
  file(MAKE_DIRECTORY ${parent})
  file(CREATE_LINK ${CMAKE_SOURCE_DIR}/${folder} ${root}/${folder} SYMBOLIC)
endfunction()

function(hcq_library name)
  cmake_parse_arguments(A "" "FOLDER" "LINK;PRIVATE;EXPORT;SOURCES;EXCLUDE" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${A_FOLDER}/*.cc)
  list(TRANSFORM A_SOURCES PREPEND ${CMAKE_SOURCE_DIR}/)
  list(APPEND sources ${A_SOURCES})
  foreach(pattern IN LISTS A_EXCLUDE)
    list(FILTER sources EXCLUDE REGEX "${CMAKE_SOURCE_DIR}/${pattern}")
  endforeach()
  if(sources)
    add_library(${name} STATIC ${sources})
    set(kind PUBLIC)
    target_link_libraries(${name} PRIVATE hcq_flags)
  else()
    add_library(${name} INTERFACE)
    set(kind INTERFACE)
  endif()
  if(NOT A_EXPORT)
    set(A_EXPORT ${A_FOLDER})
  endif()
  foreach(folder IN LISTS A_EXPORT)
    hcq_export_folder(${name} ${folder})
  endforeach()
  target_include_directories(${name} ${kind} ${CMAKE_BINARY_DIR}/include/${name})
  target_link_libraries(${name} ${kind} ${A_LINK})
  if(A_PRIVATE AND sources)
    target_link_libraries(${name} PRIVATE ${A_PRIVATE})
  endif()
endfunction()

# hcq_program(name FOLDER folder LINK ...): a command-line program in build/<preset>/bin. One that reads its arguments
# with hcq_cli has a man page and a bash completion beside it, in build/<preset>/share, made by the program itself.
function(hcq_program name)
  cmake_parse_arguments(A "" "FOLDER" "LINK" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${A_FOLDER}/*.cc)
  add_executable(${name} ${sources})
  hcq_export_folder(${name} ${A_FOLDER})
  target_include_directories(${name} PRIVATE ${CMAKE_BINARY_DIR}/include/${name})
  target_link_libraries(${name} PRIVATE hcq_flags ${A_LINK})
  if(hcq_cli IN_LIST A_LINK)
    set(man ${CMAKE_BINARY_DIR}/share/man/man1)
    set(completion ${CMAKE_BINARY_DIR}/share/bash-completion/completions)
    file(MAKE_DIRECTORY ${man} ${completion})
    add_custom_command(TARGET ${name} POST_BUILD
      COMMAND ${name} --generate-man > ${man}/${name}.1
      COMMAND ${name} --generate-completion > ${completion}/${name}
      VERBATIM)
  endif()
endfunction()

# hcq_test(name LABEL unit|model|slow [THREADED] SOURCES ... LINK ...): one GoogleTest program, one CTest entry per test
# case. THREADED tests are also run under ThreadSanitizer; CTest's discovery takes one label a test, so theirs is
# "LABEL-threads" (ctest -L model finds both kinds).
add_custom_target(threaded_tests)
function(hcq_test name)
  cmake_parse_arguments(A "THREADED" "LABEL;TIMEOUT" "SOURCES;LINK" ${ARGN})
  if(NOT A_TIMEOUT)
    set(A_TIMEOUT 300)
  endif()
  add_executable(${name} ${A_SOURCES})
  target_link_libraries(${name} PRIVATE hcq_flags ${A_LINK} GTest::gtest GTest::gmock GTest::gtest_main)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  if(A_THREADED)
    set(A_LABEL ${A_LABEL}-threads)
    add_dependencies(threaded_tests ${name})
  endif()
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST PROPERTIES LABELS ${A_LABEL} TIMEOUT ${A_TIMEOUT})
endfunction()
