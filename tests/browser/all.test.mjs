// Reports in a real browser, by file:// and with the network cut. One process and one browser for all.
//   RINGSIM=build/ci/ringsim node --test tests/browser/all.test.mjs
//   CHROMIUM              another browser than /usr/bin/chromium
//   RINGSIM_SCREENSHOTS   a folder for pictures of the pages
//   RINGSIM_INTERACTIVE   ON or OFF: whether the program was built with its node packages
//   RINGSIM_TIMELINE_PAGE the program that writes a page with a timeline of so many spans
import { after } from 'node:test';
import { end } from './support.mjs';
import './pages.mjs';
import './names.mjs';
import './large.mjs';
import './interactive.mjs';

after(end);
