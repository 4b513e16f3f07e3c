// What the list of abuse asks: a gateway in production mode, by requests that are hardly what a client would send.
import { connect } from "node:net";
import type { Cost } from "#test/live/abuse/watch.ts";
import type { NamedTest } from "#test/support/named-tests.ts";
import type { createWorld } from "#test/support/world.ts";

/** A gateway, and tokens and things in its database. */
export interface Target {
  readonly url: string;
  /** Inserts organizations, people and content of a check's own into the gateway's database. */
  readonly world: ReturnType<typeof createWorld>;
  /** Of an admin. */
  readonly token: string;
  /** Of somebody else in the same organization, who may do everything but manage people. */
  readonly otherToken: string;
  /** Of an admin of another organization. */
  readonly outsiderToken: string;
  readonly organizationId: string;
  readonly spaceId: string;
  /** Ids of things of all kinds in the organization, of which outsiders may see none. */
  readonly ids: readonly string[];
  /** The number for a full-size run, or the small one, a tenth by default, for the run within the suite. */
  readonly size: (full: number, small?: number) => number;
  /** What the gateway has printed. */
  readonly output: () => string;
  /** Megabytes that its process holds for itself; null where the system does not tell. */
  readonly megabytes: () => number | null;
}

/** What came of one check: whether it holds, and what shows that. */
export interface Outcome {
  readonly holds: boolean;
  readonly evidence: string;
  /** Whether time or memory alone was beyond its limit: as a stall of the machine does once, it is measured again. */
  readonly isBeyond?: boolean;
}

/** The outcome of a check that measures: whether it is right otherwise, and within its limits of time and memory. */
export const measured = (isRight: boolean, isWithin: boolean, evidence: string): Outcome => ({
  holds: isRight && isWithin,
  isBeyond: isRight && !isWithin,
  evidence,
});

/** A check of the review: requests to the gateway, or tests of the suite. */
export type Check = AskedCheck | TestedCheck;

interface CheckBase {
  readonly what: string;
  /** What the review found. */
  readonly before: "pass" | "weak" | "fail";
}

/** A check by requests to the gateway. */
export interface AskedCheck extends CheckBase {
  readonly run: (target: Target) => Promise<Outcome>;
  /** What it may cost the gateway, where that differs from {@link mostCost}. */
  readonly most?: Partial<Cost>;
  /** The tests of the suite that hold the same at a small size, so that the proof alone asks. */
  readonly held?: readonly NamedTest[];
}

/** A check by tests of the suite, all of which must pass. */
export interface TestedCheck extends CheckBase {
  readonly tests: readonly [NamedTest, ...NamedTest[]];
}

/** What a check may cost the gateway: while it runs it may do work, afterwards it has to rest. */
export const mostCost: Cost = { cpuMs: 10_000, cpuAfterMs: 1_000, healthMs: 1_000 };

/** A check by tests of the suite. */
export const tested = (
  before: Check["before"],
  what: string,
  ...tests: readonly [NamedTest, ...NamedTest[]]
): TestedCheck => ({ what, before, tests });

/** A check that asks. */
export const asks = (
  before: Check["before"],
  what: string,
  run: AskedCheck["run"],
  most: Partial<Cost> = {},
): AskedCheck => ({ what, before, run, most });

/** A check that asks for much, and whose tests of the suite ask for little. */
export const held = (check: AskedCheck, ...tests: readonly [NamedTest, ...NamedTest[]]): AskedCheck => ({
  ...check,
  held: tests,
});

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export async function ask(url: string, init: RequestInit = {}): Promise<Answer> {
  const answer = await fetch(url, { redirect: "manual", ...init });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

/** A GraphQL request as clients send it; `token: null` sends none. */
export function post(
  { url, token }: Pick<Target, "url" | "token">,
  query: string,
  { headers = {}, ...more }: { headers?: Record<string, string>; token?: string | null; variables?: object } = {},
): Promise<Answer> {
  const given = "token" in more ? more.token : token;
  const authorization = given === null ? {} : { authorization: `Bearer ${given}` };
  return ask(`${url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", ...authorization, ...headers },
    body: JSON.stringify({ query, variables: more.variables }),
  });
}

/** What the gateway writes to bytes until it closes or resets, or says nothing for ten seconds. */
export const say = ({ url }: Pick<Target, "url">, text: string): Promise<string> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(url);
    let heard = "";
    const socket = connect(Number(port), hostname, () => socket.write(text));
    socket.setTimeout(10_000, () => socket.destroy());
    socket.setEncoding("utf8").on("data", (chunk: string) => (heard += chunk));
    socket.on("error", () => {}); // it closes, too
    socket.once("close", () => resolve(heard));
  });

/** The outcome where a status is one of those. */
export const byStatus = ({ status, text }: Answer, ...wanted: readonly number[]): Outcome => ({
  holds: wanted.includes(status),
  evidence: `${status} ${text.slice(0, 90).replaceAll("\n", " ")}`,
});

/** Refused as a request: no data, and no bug of ours. */
export const refused = ({ status, text }: Answer): Outcome => ({
  holds: status < 500 && !text.includes('"data":{') && !text.includes("INTERNAL"),
  evidence: `${status} ${text.slice(0, 90).replaceAll("\n", " ")}`,
});
