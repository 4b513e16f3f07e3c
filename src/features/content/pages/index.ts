// The pages of contents in the application.
import { editPages } from "#src/features/content/pages/edit.ts";
import { historyPages } from "#src/features/content/pages/history.ts";
import { pagePages } from "#src/features/content/pages/page.ts";
import { settingsPages } from "#src/features/content/pages/settings.ts";
import { spacePages } from "#src/features/content/pages/space.ts";
import type { Page } from "#src/pages/page.ts";

export const contentAppPages: readonly Page[] = [
  ...spacePages,
  ...pagePages,
  ...editPages,
  ...historyPages,
  ...settingsPages,
];
