// Checks for the C++ tests: print what failed and where, count it, go on.
#pragma once

#include <exception>
#include <iostream>
#include <string>

namespace check {

inline int failures = 0;

inline void fail(const char *file, int line, const std::string &what) {
  std::cerr << file << ':' << line << ": " << what << '\n';
  ++failures;
}

// What `main` returns.
inline int result() {
  if (failures != 0)
    std::cerr << failures << (failures == 1 ? " check failed\n" : " checks failed\n");
  return failures == 0 ? 0 : 1;
}

} // namespace check

// The condition holds.
#define CHECK(...)                                                                                 \
  do {                                                                                             \
    if (!(__VA_ARGS__))                                                                            \
      check::fail(__FILE__, __LINE__, "not true: " #__VA_ARGS__);                                  \
  } while (false)

// The expression throws an exception of that type whose text is exactly `message`.
#define CHECK_THROWS(expression, type, message)                                                    \
  do {                                                                                             \
    try {                                                                                          \
      expression;                                                                                  \
      check::fail(__FILE__, __LINE__, "does not throw: " #expression);                             \
    } catch (const type &error) {                                                                  \
      if (std::string(error.what()) != (message))                                                  \
        check::fail(__FILE__, __LINE__, std::string("wrong message: ") + error.what());            \
    }                                                                                              \
  } while (false)
