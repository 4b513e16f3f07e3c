// The permission cases of all features, their expected outcomes by the flags of a person, and their execution.
import { getNamedType, isObjectType } from "graphql";
import type { Variables } from "#src/graph/run/execute.ts";
import { schema } from "#src/schema.ts";
import type { GraphqlAnswer, GraphqlClient } from "#test/support/client.ts";
import { fromFeature, fromFeatures } from "#test/support/features.ts";
import { selectionOf } from "#test/support/access/positions.ts";
import { type PermissionCase, flag, type Flags, type Name, type Fixture } from "#test/support/access/fixture.ts";

interface PermissionCaseModule {
  readonly permissionCases: readonly PermissionCase[];
}

export const permissionCases = (await fromFeatures<PermissionCaseModule>("permission-cases.ts")).flatMap(
  (feature) => feature.permissionCases,
);

/** The permission cases of the feature in this folder. */
export const permissionCasesOf = async (folder: string): Promise<readonly PermissionCase[]> =>
  (await fromFeature<PermissionCaseModule>(folder, "permission-cases.ts"))?.permissionCases ?? [];

/** The expected outcome: `done`, `not there` for deletions, or an error code. */
export function expected(
  { allowedBy, seen, deletes, into, isHidden }: PermissionCase,
  name: Name,
  flags: Flags,
): string {
  const unseen = seen.find((thing) => !flags[thing]);
  const isThere = into === undefined || Boolean(flags[into]);
  const isAllowed =
    typeof allowedBy === "function"
      ? allowedBy(name, flags)
      : allowedBy.every((path) => flag(flags, path) || (!isThere && path.startsWith(`${into}.`)));
  if (isAllowed) return isThere ? "done" : "NOT_FOUND";
  if (unseen !== undefined) return unseen === deletes ? "not there" : "NOT_FOUND";
  return isHidden ? "NOT_FOUND" : "FORBIDDEN";
}

/** Clients by token. */
type ClientOf = (token: string) => GraphqlClient;

type Payload = { readonly deletedId?: string | null } | null | undefined;

/** Runs a case, and returns the outcome in the terms of {@link expected}. */
export async function act(as: ClientOf, fixture: Fixture, permissionCase: PermissionCase, name: Name): Promise<string> {
  const { mutation, input } = permissionCase;
  const { type, answer } = typesOf(permissionCase);
  const document = `mutation ($input: ${type}) { ${mutation}(input: $input) ${selectionOf(answer)} }`;
  const { data, errors } = await as(fixture.people[name].token).graphql<Record<string, Payload>>(document, {
    input: input(fixture, name),
  });
  return outcomeOf(data?.[mutation], errors ?? []);
}

/**
 * Runs several cases in one document, by an executor in which each fails alone, and returns the outcomes; undefined
 * if the document was refused as a whole.
 */
export async function actTogether(as: ClientOf, fixture: Fixture, some: readonly PermissionCase[], name: Name) {
  const variables: Record<string, unknown> = {};
  const calls = some.map((permissionCase, index) => {
    variables[`input${index}`] = permissionCase.input(fixture, name);
    const { answer } = typesOf(permissionCase);
    const fields = isObjectType(answer) ? answer.getFields() : {};
    return `permissionCase${index}: ${permissionCase.mutation}(input: $input${index}) ${"deletedId" in fields ? "{ deletedId }" : "{ __typename }"}`;
  });
  const declared = some.map((permissionCase, index) => `$input${index}: ${typesOf(permissionCase).type}`);
  const { data, errors = [] } = await as(fixture.people[name].token).graphql<Record<string, Payload>>(
    `mutation (${declared.join()}) { ${calls.join("\n")} }`,
    variables as Variables,
  );
  if (errors.some(({ path }) => path === undefined)) return undefined;
  return some.map((_case, index) => {
    const ofThis = errors.filter(({ path }) => path?.[0] === `permissionCase${index}`);
    return outcomeOf(data?.[`permissionCase${index}`], ofThis);
  });
}

function typesOf({ mutation }: PermissionCase) {
  const field = schema.getMutationType()?.getFields()[mutation];
  if (!field) throw new Error(`No mutation ${mutation} exists.`);
  return { type: String(field.args[0]?.type), answer: getNamedType(field.type) };
}

function outcomeOf(payload: Payload, errors: NonNullable<GraphqlAnswer<unknown>["errors"]>): string {
  if (errors.length === 0) return payload?.deletedId === null ? "not there" : "done";
  return errors
    .map(({ message, path = [], extensions: { code } }) => {
      // An error below the mutation belongs to its payload.
      const isRefusal = (code === "FORBIDDEN" || code === "NOT_FOUND") && path.length === 1;
      return isRefusal ? code : `${code} ${message} (${path.join(".")})`;
    })
    .join();
}
