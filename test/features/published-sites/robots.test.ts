// The rules for robots, as a parser of `robots.txt` reads them.
import robotsModule from "robots-parser";
import { describe, expect, it, test } from "vitest";
import { knownAgents, robotsOf, robotsTagOf } from "#src/features/published-sites/model/robots.ts";

// The types of the package describe another module format.
const parse = robotsModule as unknown as typeof robotsModule.default;
const page = "https://docs.example.com/guides/start";
const sitemap = "https://docs.example.com/sitemap.xml";

const rulesOf = (of: Parameters<typeof robotsOf>[0]) => parse("https://docs.example.com/robots.txt", robotsOf(of));

describe("robots.txt", () => {
  it("of a public site that includes agents allows all robots and names the site map", () => {
    const rules = rulesOf({ visibility: "PUBLIC", agentsContext: "INCLUDED", sitemap });
    for (const robot of ["Googlebot", ...knownAgents]) expect(rules.isAllowed(page, robot), robot).toBe(true);
    expect(rules.getSitemaps()).toEqual([sitemap]);
  });

  it("of a public site that excludes agents refuses them by name, and allows search engines", () => {
    const rules = rulesOf({ visibility: "PUBLIC", agentsContext: "EXCLUDED", sitemap });
    for (const agent of ["GPTBot", "ClaudeBot", "PerplexityBot", ...knownAgents])
      expect(rules.isAllowed(page, agent), agent).toBe(false);
    for (const robot of ["Googlebot", "Bingbot"]) expect(rules.isAllowed(page, robot), robot).toBe(true);
  });

  it.each(["UNLISTED", "SHARE_LINK", "VISITOR_AUTH"] as const)(
    "of a site of the visibility %s refuses all robots and names no site map",
    (visibility) => {
      for (const agentsContext of ["EXCLUDED", "INCLUDED"] as const) {
        const rules = rulesOf({ visibility, agentsContext, sitemap });
        for (const robot of ["Googlebot", "GPTBot"]) expect(rules.isAllowed(page, robot), robot).toBe(false);
        expect(rules.getSitemaps()).toEqual([]);
      }
    },
  );
});

test("the header of a page names what robots must not do with it", () => {
  expect(robotsTagOf({ agentsContext: "INCLUDED", isListed: true })).toBeNull();
  expect(robotsTagOf({ agentsContext: "INCLUDED", isListed: false })).toBe("noindex");
  expect(robotsTagOf({ agentsContext: "EXCLUDED", isListed: true })).toBe("noai, noimageai");
  expect(robotsTagOf({ agentsContext: "EXCLUDED", isListed: false })).toBe("noindex, noai, noimageai");
});
