// Loads the data to run an installation: its version with script and secrets.
import { init, parse } from "es-module-lexer";
import type { Context } from "#src/domain/context.ts";
import type { Scripts } from "#src/domain/scripts.ts";
import { isRecord } from "#src/base/json.ts";
import { BoundedMap } from "#src/runtime/bounded-map.ts";
import type { SealedColumn } from "#src/base/secrets.ts";
import type { InstallationStatus } from "#src/generated/prisma/enums.ts";
import { newSigningKey } from "#src/features/integrations/model/runs/signing.ts";

export type RunHost = Pick<
  Context,
  "database" | "files" | "fetch" | "secrets" | "visitorTokens" | "clock" | "log" | "costQuotas"
> &
  Scripts;

export const secretsColumn: SealedColumn = { table: "Integration", column: "secrets" };
export const signingKeyColumn: SealedColumn = { table: "Integration", column: "signingKey" };

export type Target =
  | { readonly kind: "script"; readonly script: string }
  | {
      readonly kind: "address";
      readonly url: string;
      readonly signingKey: string;
      readonly isTunnel: boolean;
      /** Whether it runs a worker, which gets its events as a form; others get them in JSON. */
      readonly takesForm: boolean;
    }
  | null;

export interface Runnable {
  readonly installationId: string;
  readonly organizationId: string;
  readonly status: InstallationStatus;
  readonly integrationId: string;
  readonly name: string;
  readonly title: string;
  /** The number of the version that runs; null if its runtime has no version. */
  readonly version: number | null;
  /** The policy that the organization agreed to. */
  readonly contentSecurityPolicy: string | null;
  readonly scopes: readonly string[];
  readonly configuration: Readonly<Record<string, unknown>>;
  readonly secrets: Readonly<Record<string, unknown>>;
  readonly target: Target;
}

const include = { integration: true } as const;

/** Null if the installation does not exist. */
export async function runnableOf(host: RunHost, installationId: string): Promise<Runnable | null> {
  const { prisma } = host.database;
  const found = await prisma.integrationInstallation.findUnique({ where: { id: installationId }, include });
  if (!found) return null;
  const { integration, runtime, pinnedVersion, organizationId, status, contentSecurityPolicy } = found;
  const version = await prisma.integrationVersion.findFirst({
    where: { integrationId: integration.id, ...(pinnedVersion === null ? { runtime } : { number: pinnedVersion }) },
    orderBy: { number: "desc" },
    select: { number: true, script: true, webhookUrl: true },
  });
  const sealed = integration.secrets;
  const secrets: unknown = sealed ? JSON.parse(host.secrets.open(secretsColumn, integration.id, sealed)) : {};
  const isAgreed = integration.tunnelAll && found.allowsDevMode;
  const tunnel = isAgreed || integration.organizationId === organizationId ? integration.tunnelUrl : null;
  const { id: integrationId, name, title } = integration;
  return {
    installationId,
    organizationId,
    status,
    integrationId,
    name,
    title,
    version: version?.number ?? null,
    contentSecurityPolicy,
    scopes: found.scopes,
    configuration: isRecord(found.configuration) ? found.configuration : {},
    secrets: isRecord(secrets) ? secrets : {},
    target: await targetOf(host, integration, { tunnel, ...version }),
  };
}

async function targetOf(
  host: RunHost,
  integration: { readonly id: string; readonly signingKey: Uint8Array | null },
  of: { tunnel: string | null; script?: string | null; webhookUrl?: string | null },
): Promise<Target> {
  const url = of.tunnel ?? (of.script ? null : of.webhookUrl);
  const script = of.script ? await scriptOf(host, of.script) : null;
  if (url) {
    const signingKey = await signingKeyOf(host, integration);
    const takesForm = script !== null && (await isWorker(script));
    return { kind: "address", url, signingKey, isTunnel: of.tunnel !== null, takesForm };
  }
  return script === null ? null : { kind: "script", script };
}

/** The signing key, which is created if missing. */
async function signingKeyOf(
  { database, secrets }: RunHost,
  { id, signingKey }: { readonly id: string; readonly signingKey: Uint8Array | null },
): Promise<string> {
  if (signingKey) return secrets.open(signingKeyColumn, id, signingKey);
  const key = newSigningKey();
  const made = await database.prisma.integration.updateMany({
    where: { id, signingKey: null },
    data: { signingKey: secrets.seal(signingKeyColumn, id, key) },
  });
  if (made.count > 0) return key;
  const { signingKey: kept } = await database.prisma.integration.findUniqueOrThrow({ where: { id } });
  return kept ? secrets.open(signingKeyColumn, id, kept) : key;
}

/** Scripts that also export `handle` are run by it. Those that do not parse are older than the check. */
async function isWorker(script: string): Promise<boolean> {
  await init;
  try {
    const names = new Set(parse(script)[1].map(({ n }) => n));
    return names.has("default") && !names.has("handle");
  } catch {
    return false;
  }
}

const scriptWeight = 20_000_000;
/** A cache of scripts by their hashes. */
const scripts = new BoundedMap<string, string>(scriptWeight, (text) => text.length + 100);

async function scriptOf({ files }: RunHost, hash: string): Promise<string | null> {
  const known = scripts.get(hash);
  if (known !== undefined) return known;
  const stream = await files.open(hash);
  if (!stream) return null;
  const pieces: Uint8Array[] = [];
  for await (const piece of stream as AsyncIterable<Uint8Array>) pieces.push(piece);
  const text = Buffer.concat(pieces).toString();
  scripts.keep(hash, text);
  return text;
}
