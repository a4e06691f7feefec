#include "reports/size_report.hpp"

namespace ringsim::reports {

std::string render_size_text(const SizeReport& report, const Style& style) {
  return text_page(size_page(report), style);
}

std::string render_size_markdown(const SizeReport& report) { return markdown_page(size_page(report)); }

}  // namespace ringsim::reports
