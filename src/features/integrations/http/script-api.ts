// `context.api` of scripts: GraphQL and /v1 in this process, as the installation, with the limits of other callers.
import { isRecord } from "#src/base/json.ts";
import { DomainError } from "#src/base/errors.ts";
import { type Addresses, Links } from "#src/base/public-urls.ts";
import { installationsOfOrganization } from "#src/base/limits.ts";
import type { Viewer } from "#src/access/viewer.ts";
import { Viewers } from "#src/access/viewers.ts";
import type { Allowance } from "#src/db/connection/budget.ts";
import type { TimeLimit } from "#src/db/connection/time-limit.ts";
import type { Context } from "#src/domain/context.ts";
import { Rate } from "#src/domain/rate.ts";
import type { Identity, Scripts } from "#src/domain/scripts.ts";
import type { Gateway } from "#src/features/feature.ts";
import { publicError } from "#src/graph/run/errors.ts";
import { isOperation } from "#src/graph/run/execute.ts";
import { runWithinLimits } from "#src/graph/run/within-limits.ts";
import { ByteWriter } from "#src/plan/byte-writer.ts";
import { FairSemaphore } from "#src/runtime/fair-semaphore.ts";
import type { CallAnswer } from "#src/sandbox/messages.ts";
import { Sandbox } from "#src/sandbox/sandbox.ts";

const answerLength = 1_000_000;
/** The budget of rows that one call may read, in proportion to the longest answer. */
const allowance: Allowance = { rows: 10_000, values: 50_000, characters: answerLength };
/** The limit of concurrent calls of one installation; further calls wait. */
const callsAtOnce = 2;
const refused = (message: string): CallAnswer => ({ ok: false, message: `context.api: ${message}` });

type Parts = Pick<
  Gateway,
  "executor" | "rest" | "tunnels" | "database" | "clock" | "costQuotas" | "contextFor" | "publicUrl"
> &
  Omit<Addresses, "publicUrl">;

/** Creates the script runner, which starts lazily. */
export function createScripts(gateway: Parts): Scripts {
  const { fetches } = gateway.costQuotas.limits.installations;
  const most = fetches * installationsOfOrganization;
  const what = "The installations of one organization may call other servers";
  return {
    sandbox: new Sandbox(),
    answerApi: createScriptApi(gateway),
    tunnels: gateway.tunnels,
    addresses: () => {
      const publicUrl = gateway.publicUrl();
      const links = new Links({ ...gateway, publicUrl });
      return { publicUrl, endpoint: (name, installationId) => links.endpoint(name, installationId) };
    },
    fetches: {
      ofInstallation: new Rate(gateway.costQuotas, {
        name: "fetches",
        most: fetches,
        what: "An installation may call other servers",
      }),
      ofOrganization: new Rate(gateway.costQuotas, { name: "fetches", most, what }),
    },
  };
}

/** Reloads the viewer of an installation from its rows. */
class InstallationViewers extends Viewers {
  readonly #renew: Identity["renew"];

  constructor(options: Pick<Parts, "database" | "clock">, renew: Identity["renew"]) {
    super(options.database, options.clock, { maxAge: 0 });
    this.#renew = renew;
  }

  override renew(): Promise<Viewer | null> {
    return this.#renew();
  }
}

/** Answers the calls of scripts to the gateway. A call ends when its signal is aborted. */
function createScriptApi(options: Parts): Scripts["answerApi"] {
  const calls = new FairSemaphore({ perOwner: callsAtOnce });
  const contextOf = ({ viewer, allowedMutations, renew }: Identity): Context => ({
    ...options.contextFor(viewer, `script of ${viewer.userId}`, allowance),
    allowedMutations,
    scripts: undefined,
    viewers: new InstallationViewers(options, renew),
  });
  return async (identity, { kind, request, body }, signal) => {
    const asked: unknown = JSON.parse(request);
    if (!isRecord(asked)) return refused("the argument must be an object.");
    const run = kind === "graphql" ? runGraphql : asked["isFetch"] === true ? runFetch : runRest;
    const answer = await calls.run(identity.viewer.userId, async () => {
      const context = contextOf(identity);
      return untilAborted(signal, context.limit, () => run(options, context, { ...asked, bytes: body }));
    });
    if (answer === null) return refused("subscriptions are not supported.");
    const { json, body: bytes } = answer;
    if (json.length + (bytes?.length ?? 0) > answerLength)
      return refused(`the response has more than ${answerLength} characters.`);
    return { ok: true, json, body: bytes };
  };
}

/** Ends the deadline of the work with the signal. */
async function untilAborted<Result>(signal: AbortSignal, limit: TimeLimit, work: () => Promise<Result>) {
  signal.throwIfAborted();
  const abandon = (): void => limit.abandon();
  signal.addEventListener("abort", abandon, { once: true });
  try {
    return await work();
  } finally {
    signal.removeEventListener("abort", abandon);
  }
}

type Asked = Readonly<Record<string, unknown>>;

/** Null if the call is refused. */
type Answered = Promise<{ readonly json: string; readonly body: Buffer | null } | null>;

const inJson = (json: string) => ({ json, body: null });

async function runGraphql({ executor }: Parts, context: Context, { query, variables }: Asked): Answered {
  const operation = executor.prepare(String(query));
  if (!isOperation(operation)) return inJson(JSON.stringify({ errors: operation }));
  if (operation.kind === "subscription") return null;
  try {
    const answer = await runWithinLimits(context, operation, isRecord(variables) ? variables : {});
    return inJson(answer instanceof ByteWriter ? textOf(answer) : JSON.stringify(answer));
  } catch (error) {
    return inJson(JSON.stringify({ errors: [publicError(error, context)] }));
  }
}

function textOf(out: ByteWriter): string {
  const text = out.bytes.toString();
  out.free();
  return text;
}

/** Answers `api.rest` of `handle`: the status, and the body as JSON. */
async function runRest({ rest }: Parts, context: Context, { method, path, body }: Asked): Answered {
  const bytes = body === undefined ? null : Buffer.from(JSON.stringify(body));
  const headers: Record<string, string> = bytes ? { "content-type": "application/json" } : {};
  const { status, text } = await restOf(rest, context, { method, path, headers, bytes });
  return inJson(`{"status":${status},"body":${text ?? "null"}}`);
}

/** Answers the `fetch` of a worker to /v1: the head of the response, and its body. */
async function runFetch({ rest }: Parts, context: Context, asked: Asked): Answered {
  const given = Array.isArray(asked["headers"]) ? (asked["headers"] as [string, string][]) : [];
  const headers = Object.fromEntries(given.filter(([name]) => ownHeaders.has(name)));
  const bytes = asked["bytes"] instanceof Uint8Array ? Buffer.from(asked["bytes"]) : null;
  const { method, path, url } = asked;
  const { status, text, headers: answered } = await restOf(rest, context, { method, path, headers, bytes });
  const head = { url, status, headers: [["content-type", "application/json; charset=utf-8"], ...answered] };
  return { json: JSON.stringify(head), body: text === null ? null : Buffer.from(text) };
}

/** The headers of a worker's requests that /v1 reads; its token is not one of them. */
const ownHeaders: ReadonlySet<string> = new Set(["content-type", "accept", "idempotency-key", "if-match"]);

interface RestRequest {
  readonly method: unknown;
  readonly path: unknown;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer | null;
}

/** Runs a request to /v1 in this process; the text is null for an answer without a body. */
async function restOf(rest: Parts["rest"], context: Context, { method, path, headers, bytes }: RestRequest) {
  const [place = "", ...searches] = String(path).split("?");
  const answer = await rest({
    method: String(method),
    path: place,
    search: searches.join("?"),
    headers: bytes ? { ...headers, "content-length": String(bytes.length) } : headers,
    readBody: (limit) => {
      if (bytes && limit !== undefined && bytes.length > limit) throw new DomainError("TOO_LARGE");
      return Promise.resolve(bytes ?? Buffer.alloc(0));
    },
    contextFor: () => Promise.resolve(context),
  });
  const { status, body, headers: answered } = answer;
  const text = body instanceof ByteWriter ? textOf(body) : (body ?? null);
  return { status, text, headers: Object.entries(answered) };
}
