// The worker that reads pages of sites for an import: one made to be slow holds up only itself here.
import { serveTasks } from "#src/base/threads.ts";
import { type AskedPage, readSitePage, type SitePage } from "#src/features/imports/model/website/site-page.ts";

export type SiteAnswer = { readonly page: SitePage } | { readonly problem: string };

serveTasks((asked: AskedPage): SiteAnswer => {
  try {
    return { page: readSitePage(asked) };
  } catch (error) {
    if (error instanceof RangeError) return { problem: "It is nested too deeply." }; // the call stack is full
    return { problem: "It cannot be read as HTML." }; // its readers stumble over what they did not expect
  }
});
