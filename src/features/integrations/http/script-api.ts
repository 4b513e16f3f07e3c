// `context.api` of scripts: GraphQL and /v1 in this process, as the installation, with the limits of other callers.
import { isRecord } from "#src/base/json.ts";
import { DomainError } from "#src/base/errors.ts";
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

type Parts = Pick<Gateway, "executor" | "rest" | "database" | "clock" | "costQuotas" | "contextFor">;

/** Creates the script runner, which starts lazily. */
export function createScripts(gateway: Parts): Scripts {
  const { fetches } = gateway.costQuotas.limits.installations;
  const most = fetches * installationsOfOrganization;
  const what = "The installations of one organization may call other servers";
  return {
    sandbox: new Sandbox(),
    answerApi: createScriptApi(gateway),
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
  return async (identity, { kind, request }, signal) => {
    const asked: unknown = JSON.parse(request);
    if (!isRecord(asked)) return refused("the argument must be an object.");
    const run = kind === "graphql" ? runGraphql : runRest;
    const json = await calls.run(identity.viewer.userId, async () => {
      const context = contextOf(identity);
      return untilAborted(signal, context.limit, () => run(options, context, asked));
    });
    if (json === null) return refused("subscriptions are not supported.");
    if (json.length > answerLength) return refused(`the response has more than ${answerLength} characters.`);
    return { ok: true, json, body: null };
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

async function runGraphql({ executor }: Parts, context: Context, { query, variables }: Asked) {
  const operation = executor.prepare(String(query));
  if (!isOperation(operation)) return JSON.stringify({ errors: operation });
  if (operation.kind === "subscription") return null;
  try {
    const answer = await runWithinLimits(context, operation, isRecord(variables) ? variables : {});
    return answer instanceof ByteWriter ? textOf(answer) : JSON.stringify(answer);
  } catch (error) {
    return JSON.stringify({ errors: [publicError(error, context)] });
  }
}

function textOf(out: ByteWriter): string {
  const text = out.bytes.toString();
  out.free();
  return text;
}

async function runRest({ rest }: Parts, context: Context, { method, path, body }: Asked): Promise<string> {
  const [place = "", ...searches] = String(path).split("?");
  const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
  const answer = await rest({
    method: String(method),
    path: place,
    search: searches.join("?"),
    headers: bytes ? { "content-type": "application/json", "content-length": String(bytes.length) } : {},
    readBody: (limit) => {
      if (bytes && limit !== undefined && bytes.length > limit) throw new DomainError("TOO_LARGE");
      return Promise.resolve(bytes ?? Buffer.alloc(0));
    },
    contextFor: () => Promise.resolve(context),
  });
  const { body: written } = answer;
  const text = written instanceof ByteWriter ? textOf(written) : (written ?? "null");
  return `{"status":${answer.status},"body":${text}}`;
}
