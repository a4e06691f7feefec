// The worker that mpirun's processes start: a rank and a GPU each, on one node or on several.

#include "cli/cuda_worker/jobs.hpp"
#include "kernels/host/mpi/communicator.hpp"

namespace ringsim::cli {
namespace {

class MpiProcesses : public cuda::Processes {
 public:
  MpiProcesses() {
    MPI_Comm node = MPI_COMM_NULL;
    host::check_mpi(MPI_Comm_split_type(ranks_.handle(), MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node),
                    "MPI_Comm_split_type");
    host::check_mpi(MPI_Comm_rank(node, &on_node_), "MPI_Comm_rank");
    MPI_Comm_free(&node);
  }
  [[nodiscard]] int number() const override { return ranks_.rank(); }
  [[nodiscard]] int count() const override { return ranks_.size(); }
  [[nodiscard]] int number_on_node() const override { return on_node_; }
  void broadcast(std::span<std::byte> bytes) override {
    host::check_mpi(MPI_Bcast(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, 0, ranks_.handle()), "MPI_Bcast");
  }
  [[nodiscard]] std::vector<std::vector<double>> gather(std::span<const double> values) override {
    return ranks_.gather(values);
  }
  void meet() override { host::check_mpi(MPI_Barrier(ranks_.handle()), "MPI_Barrier"); }
  void end_all() override { ranks_.abort(1); }

 private:
  host::Communicator ranks_{host::Nodes::any};
  int on_node_ = 0;
};

}  // namespace

std::unique_ptr<cuda::Processes> join_processes() { return std::make_unique<MpiProcesses>(); }

}  // namespace ringsim::cli
