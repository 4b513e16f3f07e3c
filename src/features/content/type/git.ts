// The GraphQL type GitObject: where something of a content is in Git, and the hash that it has there.
import { defineTexts } from "#src/graph/schema/flag-types.ts";

export const GitObject = defineTexts("GitObject", "Something of a content as Git has it.", {
  oid: "Its hash there (SHA-1): that of a blob for a text or a file, as `git hash-object` gives it, that of a tree for a folder.",
  path: "Its path in the repository that the content would be exported to.",
});
