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
  forms: {
    save: defineForm<{ readonly editContent: object }>({
      mutation: mutation("SavePage"),
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
    move: defineForm<{ readonly editContent: object }>({
      mutation: mutation("MovePage"),
      variables: (fields, asked) => ({
        input: { contentOf: contentIn(asked), edits: [moveTo(asked.named["pageId"], fields.get("place") ?? "")] },
      }),
      then: (_answer, asked) => `${addressOf(asked)}/pages/${asked.named["pageId"]}`,
    }),
    delete: defineForm<{ readonly editContent: object }>({
      mutation: mutation("DeletePage"),
      variables: (_fields, asked) => ({
        input: { contentOf: contentIn(asked), edits: [{ deletePage: { pageId: asked.named["pageId"] } }] },
      }),
      then: (_answer, asked) => addressOf(asked),
    }),
  },
});
