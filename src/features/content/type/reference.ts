// The GraphQL type ContentReference: what links, covers and computed pages refer to.
import type {
  ContentReference as ContentReferenceValue,
  ReferenceKind as ReferenceKindValue,
} from "#src/features/content/reads/references.ts";
import { builder } from "#src/graph/builder.ts";
import { defineEnum } from "#src/graph/scalars.ts";

const ReferenceKind = defineEnum<ReferenceKindValue>("ReferenceKind", "What a reference leads to.", {
  file: "A file of the content.",
  page: "A page of the content.",
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
    file: t.id({ nullable: true, description: "Id of the file.", resolve: ({ file }) => file }),
    page: t.id({
      nullable: true,
      description: "Id of the page, that of the anchor included.",
      resolve: ({ page }) => page,
    }),
    url: t.string({ nullable: true, description: "The address.", resolve: ({ url }) => url }),
    anchor: t.string({ nullable: true, description: "The place on the page.", resolve: ({ anchor }) => anchor }),
    space: t.id({ nullable: true, description: "Id of the space.", resolve: ({ space }) => space }),
    user: t.id({ nullable: true, description: "Id of the user.", resolve: ({ user }) => user }),
    collection: t.id({ nullable: true, description: "Id of the collection.", resolve: ({ collection }) => collection }),
    spec: t.string({
      nullable: true,
      description: "Slug or id of the OpenAPI specification.",
      resolve: ({ spec }) => spec,
    }),
  }),
});
