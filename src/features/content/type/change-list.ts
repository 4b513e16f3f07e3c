// GraphQL types of the changes between two revisions as one list.
import { invalidInput } from "#src/base/errors.ts";
import type { Context } from "#src/domain/context.ts";
import { downloadPath } from "#src/features/content/model/download-address.ts";
import type { AttributeChange as AttributeChangeValue } from "#src/features/content/model/change-list.ts";
import {
  attributesOf,
  type ChangeList,
  findParent,
  listChanges,
  type ListedChange as ListedChangeValue,
  type ParentChange as ParentChangeValue,
} from "#src/features/content/reads/change-list.ts";
import { ContentChanges } from "#src/features/content/type/changes.ts";
import { File } from "#src/features/content/type/file.ts";
import { Page } from "#src/features/content/type/page.ts";
import { ReusableContent } from "#src/features/content/type/revision.ts";
import { pageSize } from "#src/db/reading/page.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { limited, type RestEntriesExtensions } from "#src/graph/schema/rest-forms.ts";
import { defineEnum } from "#src/graph/schema/scalars.ts";

const ListedChangeType = defineEnum("ListedChangeType", "The type of a listed change.", {
  page_created: "A page only in the later revision.",
  page_edited: "A page with other attributes or another text.",
  page_moved: "A page with another parent or another position among its siblings.",
  page_deleted: "A page only in the earlier revision.",
  file_created: "A file only in the later revision.",
  file_edited: "A replaced file.",
  file_deleted: "A file only in the earlier revision.",
  reusable_content_created: "A reusable content only in the later revision.",
  reusable_content_edited: "A reusable content with another title or another text.",
  reusable_content_deleted: "A reusable content only in the earlier revision.",
  variables_edited: "Changed variables of the content.",
});

const ValueChange = builder.objectRef<Pick<AttributeChangeValue, "before" | "after">>("ValueChange").implement({
  description: "The values of a changed attribute.",
  fields: (t) => ({
    before: t.valueOrNull("JSON", "Its earlier value; null if it was not set.", ({ before }) => before),
    after: t.valueOrNull("JSON", "Its later value; null if it is not set.", ({ after }) => after),
  }),
});

const AttributeChange = builder.objectRef<AttributeChangeValue>("AttributeChange").implement({
  description: "A changed attribute.",
  extensions: { restEntries: { key: "name", value: "change" } } satisfies RestEntriesExtensions,
  fields: (t) => ({
    name: t.exposeString("name", { description: "Its name." }),
    change: t.value(ValueChange, "Its values.", (change) => change),
  }),
});

const ParentChange = builder.objectRef<ParentChangeValue>("ParentChange").implement({
  description: "The parents of a moved page.",
  fields: (t) => ({
    before: t.field({
      type: Page,
      nullable: true,
      description: "The earlier parent; null at the top level.",
      resolve: ({ before }, _args, context) => findParent(context, before),
    }),
    after: t.field({
      type: Page,
      nullable: true,
      description: "The later parent; null at the top level.",
      resolve: ({ after }, _args, context) => findParent(context, after),
    }),
    changed: t.exposeBoolean("changed", { description: "Whether they differ; false if only the order changed." }),
  }),
});

const ListedChange = builder.objectRef<ListedChangeValue>("ListedChange").implement({
  description: "A change of one type.",
  fields: (t) => ({
    type: t.expose("type", { type: ListedChangeType, description: "Type of the change." }),
    page: t.valueOrNull(
      Page,
      "The later page, or the deleted one; null for changes of other parts.",
      ({ page }) => page,
    ),
    parent: t.valueOrNull(ParentChange, "Its parents; null unless it was moved.", ({ parent }) => parent),
    file: t.valueOrNull(
      File,
      "The later file, or the deleted one; null for changes of other parts.",
      ({ file }) => file,
    ),
    reusableContent: t.valueOrNull(
      ReusableContent,
      "The later reusable content, or the deleted one; null for changes of other parts.",
      ({ reusableContent }) => reusableContent,
    ),
    variables: t.valueOrNull(
      [AttributeChange],
      "The changed variables of the content; null for changes of other parts.",
      ({ variables }) => variables,
    ),
    attributes: t.field({
      type: [AttributeChange],
      nullable: true,
      description:
        "The changed attributes with their whole values, and `document`, which is the text as Markdown; null unless it was edited.",
      resolve: async (change, _args, context) => {
        const attributes = await attributesOf(context, change);
        return attributes && [...attributes, ...downloadsOf(change, context)];
      },
    }),
  }),
});

function downloadsOf({ file, replaced }: ListedChangeValue, context: Context): AttributeChangeValue[] {
  if (!file || !replaced) return [];
  const [before, after] = [replaced, file].map((one) => context.publicUrl + downloadPath(one, context));
  return [{ name: "downloadURL", before, after }];
}

export const ListedChanges = builder.objectRef<ChangeList>("ListedChanges").implement({
  description: "The changes between two revisions as one list.",
  fields: (t) => ({
    changes: t.expose("changes", {
      type: [ListedChange],
      description:
        "The changes: pages in the order of the new tree, then files, reusable contents and variables. A page that was edited and moved is " +
        "listed twice.",
    }),
    more: t.exposeInt("more", { description: "Number of changes beyond `first`." }),
  }),
});

function checkFirst(first: number): number {
  if (first >= 1 && first <= pageSize.max) return first;
  throw invalidInput("first", `must be from 1 to ${pageSize.max}, and is ${first}.`);
}

builder.objectField(ContentChanges, "listed", (t) =>
  t.field({
    type: ListedChanges,
    description: "The first changes of all parts of the content as one list.",
    args: {
      first: t.arg.int({
        required: true,
        defaultValue: 10,
        description: `How many changes to return: 1 to ${pageSize.max}.`,
        extensions: limited({ minimum: 1, maximum: pageSize.max }),
      }),
    },
    resolve: (changes, { first }, context) => listChanges(context, changes, checkFirst(first)),
  }),
);
