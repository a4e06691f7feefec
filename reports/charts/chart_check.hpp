#pragma once
// What every writer of charts relies on. A chart that breaks it is a mistake of the program, not of its user.

#include "reports/charts/chart.hpp"

namespace ringsim::reports {

/// std::logic_error naming the chart and what is wrong with it: a value that is not finite, a size that does not match, a
/// value of a logarithmic axis that is not above 0, a span that ends before it starts or stands in no row.
void check_chart(const Chart& chart);

}  // namespace ringsim::reports
