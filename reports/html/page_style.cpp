#include "reports/html/page_style.hpp"

namespace ringsim::reports {

// Text on its ground has a contrast of 4.5 : 1 or more (WCAG 2.2, 1.4.3), in both schemes.
std::string_view page_style() {
  return R"(
:root{color-scheme:light dark;--page:#fff;--text:#1b1f24;--muted:#57606a;--rule:#d0d7de;--panel:#f6f8fa;--accent:#0b5cad;
--good:#1a7f37;--bad:#b42318;--caution:#855600}
@media (prefers-color-scheme:dark){:root{--page:#12161b;--text:#e6edf3;--muted:#9aa4af;--rule:#39414a;--panel:#1a2027;
--accent:#79b8ff;--good:#4cc26a;--bad:#ff8a80;--caution:#e3b341}}
*{box-sizing:border-box}
html{background:var(--page);-webkit-text-size-adjust:100%}
body{margin:0 auto;padding:1.5rem clamp(.75rem,3vw,2rem) 3rem;max-width:62rem;color:var(--text);background:var(--page);
font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,"DejaVu Sans",sans-serif;overflow-wrap:anywhere}
h1{margin:0;font-size:1.75rem;line-height:1.25}
h2{margin:2.75rem 0 .5rem;padding-top:.75rem;border-top:1px solid var(--rule);font-size:1.25rem;line-height:1.3;scroll-margin-top:1rem}
h2 small{font-size:.875rem;font-weight:400;color:var(--muted);margin-left:.4em}
p{margin:.5rem 0;max-width:46rem}
a{color:var(--accent)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:2px}
.kind{margin:0 0 .25rem;color:var(--muted);font-size:.875rem;letter-spacing:.04em;text-transform:uppercase}
.answer{font-size:1.125rem;margin:.75rem 0}
ul.verdicts{list-style:none;margin:.75rem 0;padding:0}
ul.verdicts li{padding-left:1.6em;text-indent:-1.6em;margin:.25rem 0}
ul.verdicts li::before{display:inline-block;width:1.6em;text-indent:0;font-weight:700}
ul.verdicts .good::before{content:"✓";color:var(--good)}
ul.verdicts .bad::before{content:"✗";color:var(--bad)}
dl.figures{display:grid;grid-template-columns:repeat(auto-fill,minmax(9.5rem,1fr));gap:.75rem;margin:1.25rem 0}
dl.figures>div{border:1px solid var(--rule);border-radius:.5rem;background:var(--panel);padding:.6rem .8rem}
dl.figures dt{color:var(--muted);font-size:.8125rem;line-height:1.3}
dl.figures dd{margin:.1rem 0 0;font-size:1.3rem;font-weight:600;line-height:1.3;font-variant-numeric:tabular-nums}
dl.figures dd small{display:block;font-size:.8125rem;font-weight:400;color:var(--muted)}
nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1.1rem;list-style:none;margin:1rem 0;padding:0;font-size:.9375rem}
figure.chart{margin:1.25rem 0 1.75rem}
figure.chart figcaption{font-weight:600;margin-bottom:.4rem}
figure.chart svg{display:block;width:100%;height:auto}
figure.chart .narrow{display:none}
@media (max-width:40rem){figure.chart .wide{display:none}figure.chart .narrow{display:block}}
details{margin:.5rem 0}
summary{cursor:pointer;color:var(--accent);font-size:.875rem;width:fit-content}
.scroll{overflow-x:auto;max-width:100%}
.tall{max-height:24rem;overflow-y:auto}
table{border-collapse:collapse;margin:.5rem 0;font-size:.875rem;line-height:1.4;font-variant-numeric:tabular-nums;overflow-wrap:normal}
th,td{padding:.25rem .75rem .25rem 0;border-bottom:1px solid var(--rule);text-align:left;vertical-align:top;font-weight:400}
thead th,thead td{color:var(--muted);white-space:nowrap;border-bottom-color:var(--muted)}
tbody th{white-space:nowrap}
th.right,td.right{text-align:right;white-space:nowrap}
td:last-child,th:last-child{padding-right:0}
.in1{padding-left:1.25em}.in2{padding-left:2.5em}
dl.fields{display:grid;grid-template-columns:minmax(7rem,max-content) 1fr;gap:.15rem 1rem;margin:.75rem 0;font-size:.9375rem}
dl.fields dt{color:var(--muted)}
dl.fields dd{margin:0;min-width:0}
@media (max-width:40rem){dl.fields{grid-template-columns:1fr;gap:0}dl.fields dd{margin-bottom:.5rem}}
pre{background:var(--panel);border:1px solid var(--rule);border-radius:.5rem;padding:.6rem .8rem;overflow-x:auto;font-size:.875rem;margin:.5rem 0}
code{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}
ul.warnings{margin:.5rem 0;padding-left:1.25rem}
ul.warnings li::marker{content:"!  ";color:var(--caution);font-weight:700}
footer{margin-top:3rem;padding-top:.75rem;border-top:1px solid var(--rule);color:var(--muted);font-size:.875rem}
@media print{:root{--page:#fff;--text:#000;--muted:#444;--rule:#bbb;--panel:#fff;--accent:#000;--good:#1a7f37;--bad:#b42318;--caution:#855600}
body{max-width:none;padding:0;font-size:10pt}nav{display:none}h2{break-after:avoid}figure.chart,tr,dl.figures>div{break-inside:avoid}
figure.chart .wide{display:block}figure.chart .narrow{display:none}}
)";
}

}  // namespace ringsim::reports
