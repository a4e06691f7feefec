#pragma once
// One visitor of a std::variant from a function for each of its alternatives.

namespace ringsim::host {

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};

}  // namespace ringsim::host
