#include "models/profile.hpp"

namespace ringsim {

std::string name_of(Origin origin) {
  switch (origin) {
    case Origin::measured:
      return "measured";
    case Origin::published:
      return "published";
    case Origin::vendor:
      return "vendor";
    case Origin::assumed:
      break;
  }
  return "assumed";
}

Profile datasheet_profile(const Gpu& gpu, Dtype dtype) {
  Profile p;
  p.name = "datasheet";
  p.gpu = gpu.name;
  const FlopRate rate = peak(gpu, dtype);
  p.forward = {{rate, 0.0, Origin::vendor, "peak of " + gpu.name}, {0.0, 0.0, Origin::assumed, "no fill cost"}};
  p.backward = p.forward;
  p.query_tile = 0;
  p.key_tile = 0;
  return p;
}

}  // namespace ringsim
