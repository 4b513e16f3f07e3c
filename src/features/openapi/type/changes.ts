// The GraphQL types of what has changed from one version of an OpenAPI specification to another.
import { slicePage } from "#src/db/reading/page.ts";
import { type Rule, rules } from "#src/features/openapi/model/changes/rules.ts";
import { listChanges, type ListedChange, type VersionChanges } from "#src/features/openapi/reads/changes.ts";
import { openApiSpecVersions } from "#src/features/openapi/reads/specs.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { connectionOf, pageArguments } from "#src/graph/schema/nodes.ts";
import { defineEnum } from "#src/graph/schema/scalars.ts";

const OpenApiChangeKind = defineEnum("OpenApiChangeKind", "What became of a part of an interface.", {
  added: "It is new.",
  removed: "It is gone.",
  changed: "It is another one.",
});

/** Whether what a rule tells breaks clients, as a sentence. */
function breaking({ client, server }: Rule): string {
  if (client.isBreaking !== server.isBreaking)
    return `Breaking in what ${client.isBreaking ? "clients send" : "clients get"}, and not in what they ${client.isBreaking ? "get" : "send"}.`;
  return client.isBreaking ? "Breaking." : "Not breaking.";
}

const OpenApiChangeRule = defineEnum(
  "OpenApiChangeRule",
  "The rules by which changes of interfaces are told.",
  // The names stay: only the values are others.
  Object.fromEntries(Object.entries(rules).map(([name, rule]) => [name, `${rule.says} ${breaking(rule)}`])) as Record<
    keyof typeof rules,
    string
  >,
);

const OpenApiChange = builder.objectRef<ListedChange>("OpenApiChange").implement({
  description: "A change of an interface.",
  fields: (t) => ({
    kind: t.expose("kind", { type: OpenApiChangeKind, description: "What became of the part." }),
    rule: t.expose("rule", { type: OpenApiChangeRule, description: "What was changed." }),
    isBreaking: t.exposeBoolean("isBreaking", { description: "Whether it breaks clients that kept to the interface." }),
    reason: t.exposeString("reason", { description: "Why it breaks them, or does not." }),
    method: t.valueOrNull("String", "The method of the operation; null for what is of none.", ({ operation }) =>
      operation?.method.toUpperCase(),
    ),
    path: t.valueOrNull(
      "String",
      "The path of the operation, or the name of a webhook; null for what is of none.",
      ({ operation }) => operation?.path,
    ),
    model: t.exposeString("model", {
      nullable: true,
      description: "The name of the model; null for what is of none. What changes in a model is told there, and once.",
    }),
    place: t.valueOrNull(
      "String",
      "Where it is within the operation or model, such as `response 200, application/json, items[].name`; null for all of that.",
      ({ within }) => within || null,
    ),
    before: t.exposeString("before", { nullable: true, description: "The value before, where it is one of a value." }),
    after: t.exposeString("after", { nullable: true, description: "The value after, where it is one of a value." }),
  }),
});

const OpenApiChangeConnection = connectionOf(OpenApiChange);

export const OpenApiChanges = builder.objectRef<VersionChanges>("OpenApiChanges").implement({
  description: "What has changed from one version of an OpenAPI specification to another.",
  fields: (t) => ({
    before: t.row(openApiSpecVersions, ({ beforeId }) => beforeId, "The version that is compared with."),
    after: t.row(openApiSpecVersions, ({ afterId }) => afterId, "The version that is compared."),
    changeCount: t.exposeInt("count", { description: "Number of all changes." }),
    breakingCount: t.exposeInt("breakingCount", { description: "Number of those that break clients." }),
    isComplete: t.exposeBoolean("isComplete", {
      description: "Whether all was compared; false for versions that are too large for that.",
    }),
    changes: t.field({
      type: OpenApiChangeConnection,
      description:
        "The changes in the order of the later version, what is gone after what is there; the first 5,000. Texts, such as descriptions, are not compared.",
      args: {
        ...pageArguments,
        isBreaking: t.arg.boolean({ description: "Only those that break clients, or do not." }),
      },
      resolve: (changes, { isBreaking, ...args }) =>
        slicePage(listChanges(changes, isBreaking ?? null), ({ id }) => id, args),
    }),
  }),
});
