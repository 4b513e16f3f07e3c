// The permission cases of all features: what has to come of each for somebody, by the flags that they are shown, and
// doing it.
import { getNamedType, isObjectType } from "graphql";
import type { Variables } from "#src/graph/run/execute.ts";
import { schema } from "#src/schema.ts";
import type { GraphqlAnswer, GraphqlClient } from "#test/support/client.ts";
import { fromFeature, fromFeatures } from "#test/support/features.ts";
import { selectionOf } from "#test/support/access/positions.ts";
import { type Deed, flag, type Flags, type Name, type Stage } from "#test/support/access/fixture.ts";

interface Deeds {
  readonly deeds: readonly Deed[];
}

export const deeds = (await fromFeatures<Deeds>("permission-cases.ts")).flatMap((feature) => feature.deeds);

/** Those of the feature in this folder. */
export const deedsOf = async (folder: string): Promise<readonly Deed[]> =>
  (await fromFeature<Deeds>(folder, "permission-cases.ts"))?.deeds ?? [];

/** What has to come of it: `done`, `not there` for deletions, or the code of a refusal. */
export function expected({ allowedBy, seen, deletes, into, isHidden }: Deed, name: Name, flags: Flags): string {
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

/** Clients of somebody on a stage. */
type ClientOf = (token: string) => GraphqlClient;

type Payload = { readonly deletedId?: string | null } | null | undefined;

/** Does it, and answers what came of it, in the words of {@link expected}. */
export async function act(as: ClientOf, stage: Stage, deed: Deed, name: Name): Promise<string> {
  const { mutation, input } = deed;
  const { type, answer } = typesOf(deed);
  const document = `mutation ($input: ${type}) { ${mutation}(input: $input) ${selectionOf(answer)} }`;
  const { data, errors } = await as(stage.people[name].token).graphql<Record<string, Payload>>(document, {
    input: input(stage, name),
  });
  return outcomeOf(data?.[mutation], errors ?? []);
}

/**
 * Does several in one document, by an executor that lets each fail alone, and answers what came of each; undefined
 * where the document was refused as a whole.
 */
export async function actTogether(as: ClientOf, stage: Stage, some: readonly Deed[], name: Name) {
  const variables: Record<string, unknown> = {};
  const calls = some.map((deed, index) => {
    variables[`input${index}`] = deed.input(stage, name);
    const { answer } = typesOf(deed);
    const fields = isObjectType(answer) ? answer.getFields() : {};
    return `deed${index}: ${deed.mutation}(input: $input${index}) ${"deletedId" in fields ? "{ deletedId }" : "{ __typename }"}`;
  });
  const declared = some.map((deed, index) => `$input${index}: ${typesOf(deed).type}`);
  const { data, errors = [] } = await as(stage.people[name].token).graphql<Record<string, Payload>>(
    `mutation (${declared.join()}) { ${calls.join("\n")} }`,
    variables as Variables,
  );
  if (errors.some(({ path }) => path === undefined)) return undefined;
  return some.map((_deed, index) => {
    const ofThis = errors.filter(({ path }) => path?.[0] === `deed${index}`);
    return outcomeOf(data?.[`deed${index}`], ofThis);
  });
}

function typesOf({ mutation }: Deed) {
  const field = schema.getMutationType()?.getFields()[mutation];
  if (!field) throw new Error(`There is no mutation ${mutation}.`);
  return { type: String(field.args[0]?.type), answer: getNamedType(field.type) };
}

function outcomeOf(payload: Payload, errors: NonNullable<GraphqlAnswer<unknown>["errors"]>): string {
  if (errors.length === 0) return payload?.deletedId === null ? "not there" : "done";
  return errors
    .map(({ message, path = [], extensions: { code } }) => {
      // An error below the mutation is of what it answers.
      const isRefusal = (code === "FORBIDDEN" || code === "NOT_FOUND") && path.length === 1;
      return isRefusal ? code : `${code} ${message} (${path.join(".")})`;
    })
    .join();
}
