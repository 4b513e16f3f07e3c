// The pages of contents in the application.
import { editPages } from "#src/features/content/pages/edit.ts";
import { pagePages } from "#src/features/content/pages/page.ts";
import { spacePages } from "#src/features/content/pages/space.ts";
import type { Page } from "#src/pages/page.ts";

export const contentAppPages: readonly Page[] = [...spacePages, ...pagePages, ...editPages];
