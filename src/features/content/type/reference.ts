// The GraphQL type ContentReference: what links, covers and computed pages refer to.
import type { ContentReference as ContentReferenceValue } from "#src/features/content/model/references.ts";
import { builder } from "#src/graph/builder.ts";
import { defineEnum } from "#src/graph/scalars.ts";

const ReferenceKind = defineEnum("ReferenceKind", "What a reference leads to.", {
  file: "A file of the content.",
  page: "A page of the content, or of the space that is named with it.",
  url: "An address.",
  anchor: "A place on a page.",
  space: "A space.",
  user: "A user.",
  collection: "A collection.",
  openapi: "An OpenAPI specification.",
});

export const ContentReference = builder.objectRef<ContentReferenceValue>("ContentReference").implement({
  description: "A reference to any kind of content, with what its kind needs; everything else is null.",
  fields: (t) => ({
    kind: t.expose("kind", { type: ReferenceKind, description: "What it leads to." }),
    file: t.exposeID("file", { nullable: true, description: "Id of the file." }),
    page: t.exposeID("page", { nullable: true, description: "Id of the page, that of the anchor included." }),
    url: t.exposeString("url", { nullable: true, description: "The address." }),
    anchor: t.exposeString("anchor", { nullable: true, description: "The place on the page." }),
    space: t.exposeID("space", {
      nullable: true,
      description: "Id of the space; with a page, that of the page where it is not this one.",
    }),
    user: t.exposeID("user", { nullable: true, description: "Id of the user." }),
    collection: t.exposeID("collection", { nullable: true, description: "Id of the collection." }),
    spec: t.exposeString("spec", { nullable: true, description: "Slug or id of the OpenAPI specification." }),
  }),
});
