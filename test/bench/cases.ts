// The cases of the benchmark: requests, systems, connections and targets of docgraph.
import {
  type Ask,
  type Asks,
  commentPage,
  counts,
  nested,
  oneRow,
  publishedSite,
  restList,
  restOne,
  type System,
  systems,
  threeLevels,
} from "#test/bench/documents.ts";
import type { World } from "#test/bench/world.ts";

/** One measured contender: a system and a request. */
export interface Contender {
  readonly system: System;
  /**
   * Distinguishes the requests of one system, such as `page 1,000`; all contenders of one subject must return the same.
   */
  readonly subject: string;
  readonly ask: Ask;
}

/**
 * `reach`: docgraph's throughput is at least this many times that of `of`, for all subjects or for one. `most`: its
 * time is at most this many times its own for subject `of`.
 */
export type Target =
  | { readonly reach: number; readonly of: System; readonly subject?: string }
  | { readonly most: number; readonly of: string; readonly on: string };

export interface Case {
  readonly key: string;
  readonly title: string;
  readonly connections: number;
  readonly targets: readonly Target[];
  readonly note?: string;
  /** Pages to a position with `ask`, if a subject needs a cursor of the system. */
  contenders(
    world: World,
    ask: (system: System, ask: Ask) => Promise<unknown>,
    chosen: readonly System[],
  ): Promise<Contender[]>;
}

const subjects =
  (of: (world: World) => Record<string, Asks>, except: readonly System[] = []): Case["contenders"] =>
  async (world, _ask, chosen) =>
    Object.entries(of(world)).flatMap(([subject, asks]) =>
      systems.flatMap((system) => {
        const ask = chosen.includes(system) && !except.includes(system) ? asks(system) : null;
        return ask ? [{ system, subject, ask }] : [];
      }),
    );

const small = "10 comments";
const large = "10,000 comments";
const pageSize = 5;
const first = "page 1";
const thousandth = "page 1,000";

/** The cursor before page 1,000, reached in large steps. */
async function cursorBeforePage(
  number: number,
  largest: number,
  askPage: (first: number, after: string | null) => Promise<unknown>,
): Promise<string> {
  let after: string | null = null;
  for (let left = (number - 1) * pageSize; left > 0;) {
    const step = Math.min(left, largest);
    const answer: string = JSON.stringify(await askPage(step, after));
    const found: string | undefined = /"endCursor":"([^"]+)"/.exec(answer)?.[1];
    if (!found) throw new Error(`No cursor in ${answer.slice(-300)}`);
    after = found;
    left -= step;
  }
  return after ?? "";
}

export const cases: readonly Case[] = [
  {
    key: "a",
    title: "nested: 20 spaces x 10 change requests x 5 comments",
    connections: 8,
    targets: [
      { reach: 2.2, of: "limit" },
      { reach: 5, of: "postgraphile" },
      { reach: 2.5, of: "stock" },
      { reach: 2.5, of: "stock-joins" },
    ],
    contenders: subjects((world) => ({ "": nested(world.organization) })),
  },
  {
    key: "b",
    title: "three levels: organization, 20 spaces, 10 change requests each",
    connections: 8,
    targets: [
      { reach: 1.15, of: "limit" },
      { reach: 3.5, of: "postgraphile" },
    ],
    contenders: subjects((world) => ({ "": threeLevels(world.organization) })),
  },
  {
    key: "c",
    title: "a list of 50 spaces with counts and permissions",
    connections: 8,
    targets: [
      { reach: 1.05, of: "limit" },
      { reach: 1.7, of: "postgraphile" },
    ],
    note: "Only docgraph and `limit` work out permissions (from roles, default levels and grants); the others give the counts alone.",
    contenders: subjects((world) => ({ "": counts(world) })),
  },
  {
    key: "d",
    title: "one space by id",
    connections: 16,
    targets: [
      { reach: 0.95, of: "limit" },
      { reach: 2, of: "postgraphile" },
    ],
    contenders: subjects((world) => ({ "": oneRow(world) })),
  },
  {
    key: "e",
    title: "REST: list of 50 spaces of a collection",
    connections: 16,
    targets: [{ reach: 1.25, of: "limit" }],
    note: "`limit-open` gives no permissions.",
    contenders: subjects((world) => ({ "": restList(world) })),
  },
  {
    key: "f",
    title: "REST: one space",
    connections: 16,
    targets: [{ reach: 1.15, of: "limit" }],
    note: "`limit-open` gives no permissions.",
    contenders: subjects((world) => ({ "": restOne(world) })),
  },
  {
    key: "site",
    title: "a published site, whole: 5 groups x 10 sections x 4 spaces, conditions on half of these",
    connections: 8,
    targets: [{ reach: 0.9, of: "limit" }],
    note: "docgraph asks each condition of the claims of the visitor; `limit` knows that they are all of one form.",
    contenders: subjects((world) => ({ "": publishedSite(world) })),
  },
  {
    key: "g",
    title: "case (a) while each change request has 10 or 10,000 comments",
    connections: 8,
    targets: [{ most: 1.15, of: small, on: large }],
    note: "The stock stack is left out: at 10,000 comments one answer, alone, took it 9 s with separate queries and 15 s with joins.",
    contenders: subjects(
      ({ growth }) => ({ [small]: nested(growth.small), [large]: nested(growth.large) }),
      ["stock", "stock-joins", "limit-open"],
    ),
  },
  {
    key: "h",
    title: `pages of ${pageSize} of a list of 10,000 comments`,
    connections: 16,
    targets: [
      { reach: 0.9, of: "limit", subject: first },
      { reach: 1.5, of: "postgraphile", subject: first },
      { most: 1.2, of: first, on: thousandth },
    ],
    async contenders(world, ask, chosen) {
      const found: Contender[] = [];
      for (const system of systems.filter((name) => chosen.includes(name) && name !== "limit-open")) {
        const page = (size: number, after: string | null): Ask => {
          const request = commentPage(world, { first: size, after })(system);
          if (!request) throw new Error(`${system} has no pages`);
          return request;
        };
        // The limit serves pages of one size, the stock stack at most 100.
        const largest = system === "limit" ? pageSize : 100;
        const before = await cursorBeforePage(1000, largest, (size, after) => ask(system, page(size, after)));
        found.push(
          { system, subject: first, ask: page(pageSize, null) },
          { system, subject: thousandth, ask: page(pageSize, before) },
        );
      }
      return found;
    },
  },
];
