// Loads and locks the integration of a command, and makes signing keys.
import { found } from "#src/base/errors.ts";
import { project } from "#src/db/reading/entity.ts";
import type { Transaction } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { signingKeyColumn } from "#src/features/integrations/commands/runs/runnable.ts";
import { checkIntegrationName } from "#src/features/integrations/model/manifest/names.ts";
import { newSigningKey } from "#src/features/integrations/model/runs/signing.ts";
import { integrations, listedIntegrations } from "#src/features/integrations/reads.ts";
import type { IntegrationModel } from "#src/generated/prisma/models.ts";

export interface NamedIntegration {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
}

/** The integration of a name; null if the viewer sees none. INVALID_INPUT for an invalid name. */
export function findIntegration({ reader }: Context, name: string): Promise<NamedIntegration | null> {
  const request = { key: { name: checkIntegrationName(name) }, projection: project(["organizationId", "name"]) };
  return reader.pick(listedIntegrations, {}, request);
}

/** The integration of a name. NOT_FOUND if the viewer sees none. */
export const loadIntegration = async (context: Context, name: string): Promise<NamedIntegration> =>
  found(await findIntegration(context, name), integrations.noun);

/** Locks the row. NOT_FOUND if it was deleted meanwhile. */
export async function lockIntegration(transaction: Transaction, id: string): Promise<IntegrationModel> {
  await transaction.$executeRaw`select from "Integration" where id = ${id} for update`;
  return found(await transaction.integration.findUnique({ where: { id } }), integrations.noun);
}

/** A new signing key, as it is shown once and as it is stored. CONFLICT if the gateway has no key to seal it with. */
export function makeSigningKey({ secrets }: Pick<Context, "secrets">, id: string) {
  const signingKey = newSigningKey();
  return { signingKey, sealed: secrets.seal(signingKeyColumn, id, signingKey) };
}
