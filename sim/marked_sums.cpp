#include "sim/marked_sums.hpp"

#include <algorithm>

namespace ringsim::sim {
namespace {

void add(std::vector<Eigen::ArrayXd>& to, std::size_t i, const Eigen::ArrayXd& what) {
  if (to.size() <= i) to.resize(i + 1);
  if (to[i].size() == 0) {
    to[i] = what;
  } else {
    to[i] += what;
  }
}

}  // namespace

void MarkedSums::mark(std::size_t level, Now now) {
  banks_.resize(std::max(banks_.size(), level + 1));
  std::vector<Eigen::ArrayXd>& before = banks_[level];
  for (std::size_t bank = level + 1; bank < banks_.size(); ++bank) {
    for (std::size_t i = 0; i < banks_[bank].size(); ++i) {
      if (banks_[bank][i].size() > 0) add(before, i, banks_[bank][i]);
    }
    banks_[bank].clear();
  }
  for (std::size_t i = 0; i < now.size(); ++i) {
    add(before, i, *now[i]);
    now[i]->setZero();
  }
}

void MarkedSums::jump(std::size_t level, double times, Now now) {
  for (std::size_t i = 0; i < now.size(); ++i) {
    Eigen::ArrayXd since = *now[i];
    for (std::size_t bank = level + 1; bank < banks_.size(); ++bank) {
      if (i < banks_[bank].size() && banks_[bank][i].size() > 0) since += banks_[bank][i];
    }
    add(banks_.at(level), i, times * since);
  }
}

Eigen::ArrayXd MarkedSums::total(std::size_t i, const Eigen::ArrayXd& now) const {
  Eigen::ArrayXd all = Eigen::ArrayXd::Zero(now.size());
  for (const std::vector<Eigen::ArrayXd>& bank : banks_) {
    if (i < bank.size() && bank[i].size() > 0) all += bank[i];
  }
  return banks_.empty() ? now : Eigen::ArrayXd(all + now);
}

}  // namespace ringsim::sim
