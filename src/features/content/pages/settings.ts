// The pages of a space beside its contents: files and settings.
import { addressOf, contentIn, contentPages } from "#src/features/content/pages/content.ts";
import { documentOf } from "#src/features/content/views/answer.ts";
import { filesView } from "#src/features/content/views/files.ts";
import { type SettingsAnswer, settingsView } from "#src/features/content/views/settings.ts";
import { defineForm, definePage, type Page } from "#src/pages/page.ts";

export const settingsPages: readonly Page[] = [
  ...contentPages({
    path: "/files",
    document: {
      name: "FilesOfContent",
      variables: ", $after: String",
      content: `files(first: 50, after: $after) {
        nodes { fileId name size contentType createdAt downloadURL } pageInfo { hasNextPage endCursor }
      }`,
    },
    variables: ({ search }) => ({ after: search.get("after") }),
    view: filesView,
    isLive: true,
    forms: {
      upload: defineForm<{ readonly uploadFile: object }>({
        mutation: `mutation UploadByForm($input: UploadFileInput!) { uploadFile(input: $input) { revisionId } }`,
        takes: "each file",
        notice: "Uploaded.",
        variables: (_fields, asked, file) => ({ input: { contentOf: contentIn(asked), file } }),
        then: (_answer, asked) => `${addressOf(asked)}/files`,
      }),
      replace: defineForm<{ readonly replaceFile: object }>({
        mutation: `mutation ReplaceByForm($input: ReplaceFileInput!) { replaceFile(input: $input) { revisionId } }`,
        takes: "each file",
        notice: "Replaced. The history keeps the former file.",
        variables: (fields, asked, file) => ({
          input: { contentOf: contentIn(asked), fileId: fields.get("fileId"), file },
        }),
        then: (_answer, asked) => `${addressOf(asked)}/files`,
      }),
      remove: defineForm<{ readonly editContent: object }>({
        mutation: `mutation RemoveFile($input: EditContentInput!) { editContent(input: $input) { revisionId } }`,
        notice: "Removed. The history keeps it.",
        variables: (fields, asked) => ({
          input: { contentOf: contentIn(asked), edits: [{ deleteFile: { fileId: fields.get("fileId") } }] },
        }),
        then: (_answer, asked) => `${addressOf(asked)}/files`,
      }),
    },
  }),
  definePage<SettingsAnswer>({
    path: "/app/spaces/:spaceId/settings",
    query: documentOf("space", { name: "SettingsOfSpace", content: "", more: "visibility" }),
    variables: ({ named }) => ({ space: named["spaceId"] }),
    view: settingsView,
    forms: {
      settings: defineForm<{ readonly updateSpace: object }>({
        notice: "Saved.",
        mutation: `mutation ChangeSpace($input: UpdateSpaceInput!) { updateSpace(input: $input) { space { id } } }`,
        variables: (fields, { named }) => ({
          input: {
            spaceId: named["spaceId"],
            title: fields.get("title"),
            emoji: fields.get("emoji"),
            visibility: fields.get("visibility"),
            editMode: fields.get("editMode"),
          },
        }),
        then: (_answer, { named }) => `/app/spaces/${named["spaceId"]}/settings`,
      }),
      delete: defineForm<{ readonly deleteSpace: object }>({
        mutation: `mutation DeleteSpaceByForm($input: DeleteSpaceInput!) { deleteSpace(input: $input) { __typename } }`,
        variables: (_fields, { named }) => ({ input: { spaceId: named["spaceId"] } }),
        then: () => "/app",
      }),
    },
  }),
];
