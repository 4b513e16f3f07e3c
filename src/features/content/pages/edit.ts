// The page that edits a page: `/app/spaces/:spaceId/pages/:pageId/edit`, and the same in a change request.
import { addressOf, contentIn, contentPages } from "#src/features/content/pages/content.ts";
import { type EditAnswer, type EditBase, editView, textIn } from "#src/features/content/views/edit.ts";
import { moveTo } from "#src/features/content/views/move.ts";
import type { SpaceAnswer } from "#src/features/content/views/answer.ts";
import { type Asked, defineForm, shownAgain } from "#src/pages/page.ts";

const mutation = (name: string) => `mutation ${name}($input: EditContentInput!) {
  editContent(input: $input) { revisionId }
}`;

/** Variables as the form was sent: `isPreview` and `isStale` say what more the query reads. */
function ofForm({ named, problem }: Asked) {
  const sent = problem?.form === "delete" || problem?.form === "move" ? undefined : problem?.fields;
  const expected = sent?.get("expectedRevisionId") ?? "";
  return {
    page: named["pageId"],
    text: sent ? textIn(sent, "markdown") : "",
    isPreview: problem?.form === "preview",
    before: expected,
    isSent: expected !== "",
  };
}

interface Added {
  readonly uploadFile: {
    readonly revisionId: string;
    readonly revision: { readonly parentRevisionIds: readonly string[] };
    readonly file: { readonly fileId: string; readonly name: string; readonly contentType: string };
  };
}

/** The form with the files in its text: at the position `at`, or at the end. */
function withFiles(fields: URLSearchParams, added: readonly Added[]): URLSearchParams {
  const text = textIn(fields, "markdown");
  const at = Math.min(Number(fields.get("at") || text.length) || 0, text.length);
  const [before, after] = [text.slice(0, at).trimEnd(), text.slice(at).trimStart()];
  const named = added.map(({ uploadFile: { file } }) => markdownOf(file));
  const start = [before, ...named].filter((part) => part !== "").join("\n\n");
  const next = new URLSearchParams(fields);
  next.set("markdown", `${start}\n${after && `\n${after}`}`);
  next.set("at", String(start.length));
  // Each upload is a revision; if it follows the one that the form is based on, nobody else has changed the content.
  for (const { uploadFile } of added)
    if (uploadFile.revision.parentRevisionIds[0] === next.get("expectedRevisionId"))
      next.set("expectedRevisionId", uploadFile.revisionId);
  return next;
}

/** An image is shown in the text, another file is linked. */
function markdownOf({ fileId, name, contentType }: Added["uploadFile"]["file"]): string {
  const isImage = contentType.startsWith("image/");
  const text = (isImage ? name.replace(/\.\w+$/, "") : name).replaceAll(/[[\]\\]/g, " ");
  return `${isImage ? "!" : ""}[${text}](file:${fileId})`;
}

export const editPages = contentPages<EditAnswer>({
  path: "/pages/:pageId/edit",
  document: {
    name: "EditPage",
    variables: ", $page: ID!, $text: String!, $isPreview: Boolean!, $before: ID!, $isSent: Boolean!",
    content: `page(by: { id: $page }) {
      pageId title type emoji description markdown ancestors { pageId }
      preview: html(markdown: $text) @include(if: $isPreview)
    }`,
    beside: `base: node(id: $before) @include(if: $isSent) {
      ... on Revision { page(by: { id: $page }) { title description markdown } }
    }`,
  },
  variables: ofForm,
  view: (answer: SpaceAnswer<EditAnswer> & EditBase, asked) => editView(answer, asked),
  isLive: "still",
  forms: {
    save: defineForm<{ readonly editContent: object }>({
      mutation: mutation("SavePage"),
      notice: "Saved.",
      variables: (fields, asked) => {
        const markdown = fields.get("markdown") === null ? {} : { markdown: textIn(fields, "markdown") };
        const texts = { title: fields.get("title") ?? "", description: fields.get("description") || null, ...markdown };
        return {
          input: {
            contentOf: contentIn(asked),
            expectedRevisionId: fields.get("expectedRevisionId"),
            message: fields.get("message") || null,
            edits: [{ updatePage: { pageId: asked.named["pageId"], ...texts } }],
          },
        };
      },
      then: (_answer, asked) => `${addressOf(asked)}/pages/${asked.named["pageId"]}`,
    }),
    preview: shownAgain,
    addFile: defineForm<Added>({
      mutation: `mutation AddFileToText($input: UploadFileInput!) {
        uploadFile(input: $input) { revisionId revision { parentRevisionIds } file { fileId name contentType } }
      }`,
      takes: "each file",
      variables: (_fields, asked, file) => ({ input: { contentOf: contentIn(asked), file } }),
      then: (_answer, _asked, fields, all) => ({ fields: withFiles(fields, all) }),
    }),
    move: defineForm<{ readonly editContent: object }>({
      mutation: mutation("MovePage"),
      notice: "Moved.",
      variables: (fields, asked) => ({
        input: { contentOf: contentIn(asked), edits: [moveTo(asked.named["pageId"], fields.get("place") ?? "")] },
      }),
      then: (_answer, asked) => `${addressOf(asked)}/pages/${asked.named["pageId"]}`,
    }),
    delete: defineForm<{ readonly editContent: object }>({
      mutation: mutation("DeletePage"),
      notice: "Deleted. The history keeps it.",
      variables: (_fields, asked) => ({
        input: { contentOf: contentIn(asked), edits: [{ deletePage: { pageId: asked.named["pageId"] } }] },
      }),
      then: (_answer, asked) => addressOf(asked),
    }),
  },
});
