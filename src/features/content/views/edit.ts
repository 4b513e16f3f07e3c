// The form that edits a page: its text in Markdown, with a preview, and what to do if somebody else changed it.
import { mergeTextQuickly, settleDocument, type TextMerge } from "#src/features/content/model/merge/text.ts";
import type { SpaceAnswer } from "#src/features/content/views/answer.ts";
import { moveForm } from "#src/features/content/views/move.ts";
import { nameOf, pathOfPage, type Place, placeOf } from "#src/features/content/views/place.ts";
import { spacePage } from "#src/features/content/views/space-frame.ts";
import { html, Html } from "#src/http/html.ts";
import { formOf, problemOf } from "#src/pages/forms.ts";
import type { Asked, Shown } from "#src/pages/page.ts";

interface EditedPage {
  readonly pageId: string;
  readonly title: string;
  readonly type: string;
  readonly emoji: string | null;
  readonly description: string | null;
  readonly markdown: string | null;
  /** The HTML of the text in the form; absent unless it was asked for. */
  readonly preview?: string | null;
  readonly ancestors: readonly { readonly pageId: string }[];
}

export interface EditAnswer {
  readonly page: EditedPage | null;
}

type Written = Pick<EditedPage, "title" | "description" | "markdown">;

/** The page as it was when the editing began, if the form was sent since. */
export interface EditBase {
  readonly base?: { readonly page?: Written | null } | null;
}

/** The names of the texts of the form. */
const fields = ["title", "description", "markdown"] as const;

type Texts = Readonly<Record<(typeof fields)[number], string>>;

/** Browsers send line ends as CR LF. */
export const textIn = (sent: URLSearchParams, name: string): string => (sent.get(name) ?? "").replaceAll("\r\n", "\n");

const textsOf = (page: Written): Texts => ({
  title: page.title,
  description: page.description ?? "",
  markdown: page.markdown ?? "",
});

/** What the form shows: both changes together, if somebody else saved the page since. */
interface Draft {
  readonly texts: Texts;
  /** The places that both changed; our version is in the text. */
  readonly conflicts: Extract<TextMerge, { conflicts: unknown }>["conflicts"];
  readonly isMerged: boolean;
  /** The saved text, if both changes are too different to merge. */
  readonly otherText: string | null;
}

function draftOf(page: EditedPage, revisionId: string, before: Written | null | undefined, asked: Asked): Draft {
  const saved = textsOf(page);
  const sent = asked.problem?.fields;
  const plain = { conflicts: [], isMerged: false, otherText: null };
  if (!sent) return { ...plain, texts: saved };
  const ours = {
    title: textIn(sent, "title"),
    description: textIn(sent, "description"),
    markdown: textIn(sent, "markdown"),
  };
  if (sent.get("expectedRevisionId") === revisionId || !before) return { ...plain, texts: ours };
  const base = textsOf(before);
  const unlessOurs = (name: (typeof fields)[number]) => (ours[name] === base[name] ? saved[name] : ours[name]);
  const merge = mergeTextQuickly({ base: base.markdown, ours: ours.markdown, theirs: saved.markdown });
  return {
    texts: {
      title: unlessOurs("title"),
      description: unlessOurs("description"),
      markdown: merge ? settleDocument(merge, () => undefined) : ours.markdown,
    },
    conflicts: merge && "conflicts" in merge ? merge.conflicts : [],
    isMerged: fields.some((name) => base[name] !== saved[name]),
    otherText: merge ? null : saved.markdown,
  };
}

export function editView(answer: SpaceAnswer<EditAnswer> & EditBase, asked: Asked): Shown {
  const place = placeOf(answer);
  const page = place?.content.page;
  if (!place || !page) return null;
  const back = pathOfPage(place, page.pageId);
  if (!place.isEditable || page.type === "COMPUTED") return { kind: "moved", status: 307, to: back };
  const draft = draftOf(page, place.content.id, answer.base?.page, asked);
  return spacePage(answer, place, {
    isLive: "still",
    title: `Edit ${page.title}`,
    open: { pageId: page.pageId, above: page.ancestors.map(({ pageId }) => pageId) },
    crumbs: [[page.title, back]],
    main: html`<h1>Edit ${page.title}</h1>
      ${problemOfDraft(draft, asked)} ${problemOf(asked, "addFile")} ${editForm(draft, place, page, asked)}
      ${previewOf(page)} ${moveForm(place, page.pageId, asked)} ${removal(page, place, asked)}`,
  });
}

/** Nothing is lost: the form has both changes, or says where they are. */
function problemOfDraft({ isMerged, conflicts, otherText }: Draft, asked: Asked): Html {
  if (!isMerged) return problemOf(asked, "save");
  const what =
    otherText !== null
      ? html`Both changes are too different to combine. Your text is below, and the saved one after it.`
      : conflicts.length > 0
        ? html`The form has both changes. In ${conflicts.length === 1 ? "one place" : `${conflicts.length} places`} both
          of you changed the same lines: your version is in the text, theirs is here.`
        : html`The form now has both changes. Check the text, and save it again.`;
  return html`<div class="problem" role="alert">
      <p><strong>Somebody else saved this page while you edited it.</strong> ${what}</p>
    </div>
    ${conflicts.map(
      ({ ours, theirs, oursLine }) =>
        html`<div class="versions">
          <div>
            <h2>Yours, from line ${oursLine}</h2>
            <pre>${ours || "(removed)"}</pre>
          </div>
          <div>
            <h2>Theirs</h2>
            <pre>${theirs || "(removed)"}</pre>
          </div>
        </div>`,
    )}
    ${
      otherText === null
        ? ""
        : html`<details class="versions">
            <summary>The saved text</summary>
            <pre>${otherText}</pre>
          </details>`
    }`;
}

function editForm({ texts }: Draft, place: Place<unknown>, page: EditedPage, asked: Asked): Html {
  const where = place.changeRequest ? nameOf(place.changeRequest) : "the main content";
  return html`<form method="post" class="stacked wide-form" enctype="multipart/form-data">
    <input type="hidden" name="expectedRevisionId" value="${place.content.id}" />
    <label>Title <input name="title" value="${texts.title}" required maxlength="250" /></label>
    <label>Description <input name="description" value="${texts.description}" maxlength="1000" /></label>
    ${
      page.type === "DOCUMENT"
        ? html`<label
            >Text, in Markdown
            <textarea name="markdown" rows="24" spellcheck="true" ${caretOf(asked)}>${`\n${texts.markdown}`}</textarea>
          </label>`
        : ""
    }
    <label
      ><span>What you changed <span class="soft">(optional)</span></span>
      <input name="message" maxlength="500" placeholder="Shown in the history"
    /></label>
    <p class="buttons">
      <button name="form" value="save">Save to ${where}</button>
      ${page.type === "DOCUMENT" ? html`<button name="form" value="preview" class="quiet">Preview</button>` : ""}
      <a href="${pathOfPage(place, page.pageId)}">Cancel</a>
    </p>
    ${page.type === "DOCUMENT" ? filesField : ""}
  </form>`;
}

/** The last fields of the form, so that the file follows the others; its button names the form in the address. */
const filesField = html`<div class="add-files">
  <input type="hidden" name="at" />
  <label>Add images and other files to the text <input type="file" name="file" multiple data-drop /></label>
  <button formaction="?form=addFile" class="quiet">Add to the text</button>
</div>`;

/** Where the cursor is after a file was added. */
const caretOf = ({ problem }: Asked): Html | string =>
  problem?.form === "addFile" && problem.message === null ? html`data-caret="${problem.fields.get("at") ?? ""}"` : "";

/** The HTML is sanitised by the graph. */
const previewOf = ({ preview }: EditedPage): Html =>
  preview === undefined || preview === null
    ? html``
    : html`<section class="preview" aria-labelledby="preview">
        <h2 id="preview">Preview</h2>
        <div class="text">${new Html(preview)}</div>
      </section>`;

const removal = (page: EditedPage, place: Place<unknown>, asked: Asked): Html =>
  html`<details class="removal" ${asked.problem?.form === "delete" ? html`open` : ""}>
    <summary>Delete this page</summary>
    ${problemOf(asked, "delete")}
    <p>
      The page and the pages below it are removed${place.changeRequest ? " when the change request is merged" : ""}. The
      history keeps them.
    </p>
    ${formOf("delete", html`<button class="danger">Delete ${page.title}</button>`)}
  </details>`;
