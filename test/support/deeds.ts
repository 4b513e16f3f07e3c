// The permission cases of all features: what has to come of each for somebody, by the flags that they are shown, and
// doing it.
import { schema } from "#src/schema.ts";
import type { TestApp } from "#test/support/app.ts";
import { fromFeatures } from "#test/support/features.ts";
import { selectionOf } from "#test/support/positions.ts";
import { type Deed, flag, type Flags, type Name, type Stage } from "#test/support/stage.ts";

export const deeds = (await fromFeatures<{ deeds: readonly Deed[] }>("deeds.ts")).flatMap((feature) => feature.deeds);

/** What has to come of it: `done`, `not there` for deletions, or the code of a refusal. */
export function expected({ stands, seen, deletes, into, isHidden }: Deed, name: Name, flags: Flags): string {
  const unseen = seen.find((thing) => !flags[thing]);
  const isThere = into === undefined || Boolean(flags[into]);
  const isAllowed =
    typeof stands === "function"
      ? stands(name, flags)
      : stands.every((path) => flag(flags, path) || (!isThere && path.startsWith(`${into}.`)));
  if (isAllowed) return isThere ? "done" : "NOT_FOUND";
  if (unseen !== undefined) return unseen === deletes ? "not there" : "NOT_FOUND";
  return isHidden ? "NOT_FOUND" : "FORBIDDEN";
}

export async function act(app: TestApp, stage: Stage, { mutation, input }: Deed, name: Name): Promise<string> {
  const field = schema.getMutationType()?.getFields()[mutation];
  if (!field) throw new Error(`There is no mutation ${mutation}.`);
  const document = `mutation ($input: ${String(field.args[0]?.type)}) { ${mutation}(input: $input) ${selectionOf(field.type)} }`;
  const { data, errors } = await app
    .as(stage.people[name].token)
    .graphql<Record<string, { deletedId?: string | null }>>(document, { input: input(stage, name) });
  if (errors)
    return errors
      .map(({ message, extensions }) =>
        extensions.code === "FORBIDDEN" || extensions.code === "NOT_FOUND"
          ? extensions.code
          : `${extensions.code} ${message}`,
      )
      .join();
  return data?.[mutation]?.deletedId === null ? "not there" : "done";
}
