// The worker that reads pages of sites for an import, and looks which of them the site allows: a site made to be slow
// holds up only itself here.
import robotsModule from "robots-parser";
import { serveTasks } from "#src/runtime/threads.ts";
import { type AskedPage, readSitePage, type SitePage } from "#src/features/imports/model/website/site-page.ts";

/** Addresses of a site that are to be looked at by its rules, as `robotsTextFor` gives them. */
export interface AskedAddresses {
  /** The address of the `robots.txt`. */
  readonly robots: string;
  readonly rules: string;
  readonly addresses: readonly string[];
}

export type SiteAnswer = { readonly page: SitePage } | { readonly problem: string } | { readonly allowed: boolean[] };

/** The module is this function; its declarations say that it has it as `default`. */
const robotsParser = robotsModule as unknown as typeof robotsModule.default;

serveTasks((asked: AskedPage | AskedAddresses): SiteAnswer => {
  if ("addresses" in asked) {
    const robots = robotsParser(asked.robots, asked.rules);
    return { allowed: asked.addresses.map((address) => robots.isAllowed(address, "*") ?? true) };
  }
  try {
    return { page: readSitePage(asked) };
  } catch (error) {
    if (error instanceof RangeError) return { problem: "It is nested too deeply." }; // the call stack is full
    return { problem: "It cannot be read as HTML." }; // its readers stumble over what they did not expect
  }
});
