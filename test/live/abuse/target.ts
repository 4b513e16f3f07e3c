// The target of abuse checks, a gateway in production mode, and unusual requests to it.
import { connect } from "node:net";
import type { Cost } from "#test/live/abuse/watch.ts";
import type { NamedTest } from "#test/support/named-tests.ts";
import type { createWorld } from "#test/support/world.ts";

/** A gateway, with tokens and objects in its database. */
export interface Target {
  readonly url: string;
  /** Inserts organizations, people and content for a check into the gateway's database. */
  readonly world: ReturnType<typeof createWorld>;
  /** The token of an admin. */
  readonly token: string;
  /** The token of a creator in the same organization. */
  readonly otherToken: string;
  /** The token of an admin of another organization. */
  readonly outsiderToken: string;
  readonly organizationId: string;
  readonly spaceId: string;
  /** Ids of objects of all kinds in the organization, none visible to outsiders. */
  readonly ids: readonly string[];
  /** The full number, or the small one (a tenth by default) when run in the suite. */
  readonly size: (full: number, small?: number) => number;
  /** The output of the gateway. */
  readonly output: () => string;
  /** Private megabytes of its process; null where the system does not report them. */
  readonly megabytes: () => number | null;
}

/** The outcome of a check, with its evidence. */
export interface Outcome {
  readonly holds: boolean;
  readonly evidence: string;
  /** True if only time or memory exceeded its limit; the check is then repeated, since the machine may have stalled. */
  readonly isBeyond?: boolean;
}

/** The outcome of a check that also has limits of time or memory. */
export const measured = (isRight: boolean, isWithin: boolean, evidence: string): Outcome => ({
  holds: isRight && isWithin,
  isBeyond: isRight && !isWithin,
  evidence,
});

/** A check of the review, by requests to the gateway or by tests of the suite. */
export type Check = AskedCheck | TestedCheck;

interface CheckBase {
  readonly what: string;
  /** The finding of the review. */
  readonly before: "pass" | "weak" | "fail";
}

/** A check by requests to the gateway. */
export interface AskedCheck extends CheckBase {
  readonly run: (target: Target) => Promise<Outcome>;
  /** Its cost limits where they differ from {@link mostCost}. */
  readonly most?: Partial<Cost>;
  /** Tests of the suite that cover it at a small size; its requests are then sent only by the proof. */
  readonly held?: readonly NamedTest[];
}

/** A check by tests of the suite, all of which must pass. */
export interface TestedCheck extends CheckBase {
  readonly tests: readonly [NamedTest, ...NamedTest[]];
}

/** Cost limits of a check: the gateway may work while it runs and must be idle afterwards. */
export const mostCost: Cost = { cpuMs: 10_000, cpuAfterMs: 1_000, healthMs: 1_000 };

/** A check by tests of the suite. */
export const tested = (
  before: Check["before"],
  what: string,
  ...tests: readonly [NamedTest, ...NamedTest[]]
): TestedCheck => ({ what, before, tests });

/** A check by requests. */
export const asks = (
  before: Check["before"],
  what: string,
  run: AskedCheck["run"],
  most: Partial<Cost> = {},
): AskedCheck => ({ what, before, run, most });

/** A check by many requests that tests of the suite cover at a small size. */
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

/** Sends a GraphQL request; `token: null` omits the token. */
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

/** The response to raw bytes, until the gateway closes, resets or is silent for ten seconds. */
export const sendRaw = ({ url }: Pick<Target, "url">, text: string): Promise<string> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(url);
    let received = "";
    const socket = connect(Number(port), hostname, () => socket.write(text));
    socket.setTimeout(10_000, () => socket.destroy());
    socket.setEncoding("utf8").on("data", (chunk: string) => (received += chunk));
    socket.on("error", () => {}); // "close" follows
    socket.once("close", () => resolve(received));
  });

/** Passes if the status is one of `expected`. */
export const byStatus = ({ status, text }: Answer, ...wanted: readonly number[]): Outcome => ({
  holds: wanted.includes(status),
  evidence: `${status} ${text.slice(0, 90).replaceAll("\n", " ")}`,
});

/** Passes if the request is refused without data and without an internal error. */
export const refused = ({ status, text }: Answer): Outcome => ({
  holds: status < 500 && !text.includes('"data":{') && !text.includes("INTERNAL"),
  evidence: `${status} ${text.slice(0, 90).replaceAll("\n", " ")}`,
});
