// The pages of sites in the application, in the order in which paths are matched.
import { adaptivePage } from "#src/features/sites/pages/adaptive.ts";
import { addressPage } from "#src/features/sites/pages/address.ts";
import { listPage } from "#src/features/sites/pages/list.ts";
import { lookPage } from "#src/features/sites/pages/look.ts";
import { overviewPage } from "#src/features/sites/pages/overview.ts";
import { settingsPage } from "#src/features/sites/pages/settings.ts";
import { structurePage } from "#src/features/sites/pages/structure.ts";
import { visitorsPage } from "#src/features/sites/pages/visitors.ts";
import type { Page } from "#src/pages/page.ts";

export const sitePages: readonly Page[] = [
  listPage,
  overviewPage,
  structurePage,
  lookPage,
  visitorsPage,
  adaptivePage,
  addressPage,
  settingsPage,
];
