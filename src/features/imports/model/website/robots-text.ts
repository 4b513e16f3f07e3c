// Extracts the part of a `robots.txt` for one robot, within limits, since the text is untrusted.

/** The time of a rule grows with its length and stars; most sites have some ten rules. */
const robotsLimits = { rules: 1_000, stars: 5, length: 500, sitemaps: 100 } as const;

export interface RobotsText {
  /** One group for all robots that has only rules; empty without rules. */
  readonly rules: string;
  /** The number of rules beyond {@link robotsLimits}. */
  readonly leftOut: number;
  /** Between two requests, in seconds. */
  readonly delay: number;
  readonly sitemaps: readonly string[];
}

interface Group {
  readonly rules: string[];
  leftOut: number;
  delay: number;
}

/** The rules for the robot of this name, or else for all (RFC 9309). Takes linear time. */
export function robotsTextFor(robot: string, text: string): RobotsText {
  const groups = new Map<string, Group>();
  const sitemaps: string[] = [];
  let names = new Set<string>();
  let isNaming = false;
  for (const [name, value] of fieldsIn(text)) {
    if (name === "user-agent") {
      if (!isNaming) names = new Set();
      const agent = value.toLowerCase().replace(/\/.*/s, "").trim();
      if (agent === robot || agent === "*") names.add(agent);
    } else if (name === "sitemap") {
      if (value !== "" && sitemaps.length < robotsLimits.sitemaps) sitemaps.push(value);
    } else if (ofGroups.has(name)) for (const agent of names) take(groupOf(groups, agent), name, value);
    isNaming = name === "user-agent";
  }
  const { rules, leftOut, delay } = groups.get(robot) ?? groups.get("*") ?? { rules: [], leftOut: 0, delay: 0 };
  return { rules: rules.length === 0 ? "" : ["User-agent: *", ...rules].join("\n"), leftOut, delay, sitemaps };
}

const ofGroups: ReadonlySet<string> = new Set(["allow", "disallow", "crawl-delay"]);

function* fieldsIn(text: string): Generator<readonly [name: string, value: string]> {
  for (const [line] of text.matchAll(/[^\r\n]+/g)) {
    const said = line.split("#", 1)[0] ?? "";
    const colon = said.indexOf(":");
    if (colon > 0) yield [said.slice(0, colon).trim().toLowerCase(), said.slice(colon + 1).trim()];
  }
}

function groupOf(groups: Map<string, Group>, agent: string): Group {
  const known = groups.get(agent);
  if (known) return known;
  const group = { rules: [], leftOut: 0, delay: 0 };
  groups.set(agent, group);
  return group;
}

function take(group: Group, name: string, value: string): void {
  if (name === "crawl-delay") group.delay = Number(value) || group.delay;
  else if (value !== "") {
    const { rules, stars, length } = robotsLimits;
    if (group.rules.length < rules && value.length <= length && value.split("*", stars + 2).length <= stars + 1)
      group.rules.push(`${name}: ${value}`);
    else group.leftOut += 1;
  }
}
