#pragma once
// Charts that answer to the pointer and the keyboard, in a page that fetches nothing: Vega, Vega-Lite and Vega-Embed are in the program,
// and go into the page with the specifications of its charts. What stands in the page already stays: the static drawing is shown until
// a script has drawn its own, where no script runs, and in print.
//
//   <head> ... interactive_head() </head>                       once
//   <figure class="chart"> SVGs ... interactive_figure(id, chart) </figure>
//
// The drawings to be replaced are children of the figure with the class `wide` or `narrow`, or in a child with the class `static`.

#include "reports/charts/chart.hpp"

#include <string>

namespace ringsim::reports {

/// Whether the program was built with the node packages. Without them the two functions below throw std::logic_error.
[[nodiscard]] bool interactive_available();

/// "vega 6.4.0, vega-lite 6.4.3, vega-embed 7.3.0"; empty without them.
[[nodiscard]] std::string interactive_versions();

/// The sentence for a user who asks for what is not there.
[[nodiscard]] std::string interactive_missing();

/// <style> and <script> elements, some 800 kB, with the notices that the packages' licences ask for. They draw once the page is read.
[[nodiscard]] std::string interactive_head();

/// An empty target and, as inert JSON, the specification that is to be drawn into it. `id` is unique in the page: a letter, then letters,
/// digits and "-".
[[nodiscard]] std::string interactive_figure(const std::string& id, const Chart& chart);

}  // namespace ringsim::reports
