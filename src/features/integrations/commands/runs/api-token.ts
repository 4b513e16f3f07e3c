// Tokens by which a worker on the machine of a developer calls the gateway as an installation, for the time of a run.
import { isRecord } from "#src/base/json.ts";
import type { SealedColumn } from "#src/base/secrets.ts";
import { type Caller, changes } from "#src/features/integrations/commands/runs/identity.ts";
import type { RunHost } from "#src/features/integrations/commands/runs/runnable.ts";

/** Not stored: it separates these tokens from sealed secrets. */
const column: SealedColumn = { table: "IntegrationInstallation", column: "apiToken" };
const lifeMs = 60_000;

type Sealing = Pick<RunHost, "secrets" | "clock">;

export function makeApiToken({ secrets, clock }: Sealing, { installationId, mayChange }: Caller): string {
  const until = clock.now().getTime() + lifeMs;
  return Buffer.from(secrets.seal(column, installationId, JSON.stringify({ until, mayChange }))).toString("base64url");
}

/** What the holder of a token may change; null if it is invalid, expired, or that of another installation. */
export function readApiToken(
  { secrets, clock }: Sealing,
  installationId: string,
  token: string,
): Caller["mayChange"] | null {
  try {
    const stated: unknown = JSON.parse(secrets.open(column, installationId, Buffer.from(token, "base64url")));
    if (!isRecord(stated) || Number(stated["until"]) < clock.now().getTime()) return null;
    return changes.find((name) => name === stated["mayChange"]) ?? null;
  } catch {
    return null;
  }
}
