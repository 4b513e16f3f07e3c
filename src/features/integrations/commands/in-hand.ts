// The integration that a command is about, and its signing key.
import { found } from "#src/base/errors.ts";
import { project } from "#src/db/reading/entity.ts";
import type { Transaction } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { signingKeyColumn } from "#src/features/integrations/commands/runs/runnable.ts";
import { checkIntegrationName } from "#src/features/integrations/model/manifest/names.ts";
import { newSigningKey } from "#src/features/integrations/model/runs/signing.ts";
import { integrations, listedIntegrations } from "#src/features/integrations/reads.ts";
import type { IntegrationModel } from "#src/generated/prisma/models.ts";

/** An integration as a command and its events name it. */
export interface IntegrationInHand {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
}

/** The integration of a name; null where there is none that the viewer may see. INVALID_INPUT for what is no name. */
export function integrationIfThere({ reader }: Context, name: string): Promise<IntegrationInHand | null> {
  const request = { key: { name: checkIntegrationName(name) }, projection: project(["organizationId", "name"]) };
  return reader.pick(listedIntegrations, {}, request);
}

/** The same; NOT_FOUND without one. */
export const integrationInHand = async (context: Context, name: string): Promise<IntegrationInHand> =>
  found(await integrationIfThere(context, name), integrations.noun);

/** The row, locked until the transaction ends. NOT_FOUND where it has gone meanwhile. */
export async function lockedIntegration(transaction: Transaction, id: string): Promise<IntegrationModel> {
  await transaction.$executeRaw`select from "Integration" where id = ${id} for update`;
  return found(await transaction.integration.findUnique({ where: { id } }), integrations.noun);
}

/** A new signing key, which is told once, and as it is stored. CONFLICT where docgraph has no key to seal it with. */
export function makeSigningKey({ secrets }: Pick<Context, "secrets">, id: string) {
  const signingKey = newSigningKey();
  return { signingKey, sealed: secrets.seal(signingKeyColumn, id, signingKey) };
}
