#include "models/collective.hpp"

namespace ringsim {

std::string_view name_of(CollectiveKind kind) {
  switch (kind) {
    case CollectiveKind::all_gather:
      return "all-gather";
    case CollectiveKind::reduce_scatter:
      return "reduce-scatter";
    case CollectiveKind::all_reduce:
      return "all-reduce";
    case CollectiveKind::all_to_all:
      break;
  }
  return "all-to-all";
}

std::string_view name_of(Group group) {
  switch (group) {
    case Group::tensor:
      return "tensor";
    case Group::ulysses:
      return "ulysses";
    case Group::ring:
      return "ring";
    case Group::context:
      return "context";
    case Group::expert:
      return "expert";
    case Group::data:
      return "data";
    case Group::gradient:
      return "gradient";
    case Group::decode_context:
      break;
  }
  return "decode-context";
}

std::int64_t size_of(Group group, const Parallel& p) {
  switch (group) {
    case Group::tensor:
      return p.tensor;
    case Group::ulysses:
      return p.ulysses;
    case Group::ring:
      return p.ring;
    case Group::context:
      return p.ulysses * p.ring;
    case Group::expert:
      return p.expert;
    case Group::data:
      return p.data;
    case Group::gradient:
      return p.ulysses * p.ring * p.data;
    case Group::decode_context:
      break;
  }
  return p.decode_context;
}

}  // namespace ringsim
