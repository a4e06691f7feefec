#pragma once
// What serves requests (cache, requests that fit at once), and what packed documents come to.

#include "reports/table.hpp"
#include "sim/prediction.hpp"

namespace ringsim::reports {

[[nodiscard]] Fields serving_fields(const sim::ServingSummary& serving);

[[nodiscard]] Fields document_fields(const sim::DocumentSummary& documents);

/// Share of the padded tokens that are of documents.
[[nodiscard]] double useful_share(const sim::DocumentSummary& documents);

}  // namespace ringsim::reports
