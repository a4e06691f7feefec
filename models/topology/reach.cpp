#include "models/topology/network.hpp"

namespace ringsim {

std::string_view name_of(Reach reach) {
  switch (reach) {
    case Reach::nvlink:
      return "nvlink";
    case Reach::pix:
      return "pix";
    case Reach::pxb:
      return "pxb";
    case Reach::phb:
      return "phb";
    case Reach::node:
      return "node";
    case Reach::sys:
      return "sys";
    case Reach::torus:
      return "torus";
    case Reach::leaf:
      return "leaf";
    case Reach::spine:
      return "spine";
    case Reach::core:
      return "core";
    case Reach::router:
      return "router";
    case Reach::group:
      return "group";
    case Reach::dragonfly:
      break;
  }
  return "dragonfly";
}

std::string_view describe(Reach reach) {
  switch (reach) {
    case Reach::nvlink:
      return "NVLink";
    case Reach::pix:
      return "one PCIe switch (PIX)";
    case Reach::pxb:
      return "several PCIe switches (PXB)";
    case Reach::phb:
      return "PCIe host bridge (PHB)";
    case Reach::node:
      return "one socket (NODE)";
    case Reach::sys:
      return "between sockets (SYS)";
    case Reach::torus:
      return "torus links";
    case Reach::leaf:
      return "one network switch (leaf)";
    case Reach::spine:
      return "over a spine";
    case Reach::core:
      return "over a core switch";
    case Reach::router:
      return "one router";
    case Reach::group:
      return "one dragonfly group";
    case Reach::dragonfly:
      break;
  }
  return "between dragonfly groups";
}

}  // namespace ringsim
