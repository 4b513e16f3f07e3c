// The history of a space or of one page: its revisions, who made them and why.
import type { SpaceAnswer } from "#src/features/content/views/answer.ts";
import { pathOfChangeRequest, pathOfPage, pathOfSpace, placeOf } from "#src/features/content/views/place.ts";
import { spacePage } from "#src/features/content/views/space-frame.ts";
import { timeOf } from "#src/features/users/views/app-frame.ts";
import { html, type Html } from "#src/http/html.ts";
import type { Asked, Shown } from "#src/pages/page.ts";

export interface RevisionLine {
  readonly id: string;
  readonly type: string;
  readonly message: string | null;
  readonly createdAt: string;
  readonly author: { readonly displayName: string } | null;
  readonly mergedFrom: { readonly id: string; readonly number: number; readonly subject: string } | null;
}

interface Revisions {
  readonly nodes: readonly RevisionLine[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

/** What a line of the history selects of its revision. */
export const revisionLine = "id type message createdAt author { displayName } mergedFrom { id number subject }";

/** What a list of revisions selects. */
export const revisionLines = `nodes { ${revisionLine} } pageInfo { hasNextPage endCursor }`;

interface HistoryOfPage {
  readonly page: { readonly pageId: string; readonly title: string; readonly history: Revisions } | null;
}

export function pageHistoryView(answer: SpaceAnswer<HistoryOfPage>, asked: Asked): Shown {
  const place = placeOf(answer);
  const page = place?.content.page;
  if (!place || !page) return null;
  return spacePage(answer, place, {
    title: `History of ${page.title}`,
    open: { pageId: page.pageId, above: [] },
    crumbs: [[page.title, pathOfPage(place, page.pageId)]],
    main: html`<h1>History of ${page.title}</h1>
      ${listOf(answer.space.id, page.history, asked)}`,
  });
}

export type HistoryOfSpace = SpaceAnswer & { readonly space: { readonly revisions: Revisions } };

export function historyView(answer: HistoryOfSpace, asked: Asked): Shown {
  const place = placeOf(answer);
  if (!place) return null;
  return spacePage(answer, place, {
    title: "History",
    part: "history",
    main: html`<h1>History</h1>
      ${listOf(answer.space.id, answer.space.revisions, asked)}`,
  });
}

function listOf(spaceId: string, { nodes, pageInfo }: Revisions, { root }: Asked): Html {
  if (nodes.length === 0) return html`<p class="soft">Nothing has been changed here.</p>`;
  const older = pageInfo.hasNextPage && pageInfo.endCursor !== null ? pageInfo.endCursor : null;
  return html`<form class="history" action="${pathOfSpace(spaceId)}/compare">
      ${nodes.length > 1 ? html`<p><button class="quiet">Compare the chosen versions</button></p>` : ""}
      <ul class="card-list">
        ${nodes.map((revision, index) => lineOf(spaceId, revision, index))}
      </ul>
    </form>
    ${older === null ? "" : html`<p><a rel="next" href="${root}?after=${encodeURIComponent(older)}">Older changes</a></p>`}`;
}

/** A revision with the choice of both sides of a comparison: at first the newest one and the one before it. */
const lineOf = (spaceId: string, revision: RevisionLine, index: number): Html =>
  html`<li>
    <span class="compared">
      ${sideOf("from", "Older side", revision, index === 1)} ${sideOf("to", "Newer side", revision, index === 0)}
    </span>
    <a href="${pathOfSpace(spaceId)}/revisions/${revision.id}">${titleOf(revision)}</a>
    <p class="soft">
      ${revision.author?.displayName ?? "Unknown"}, ${timeOf(revision.createdAt)}${fromOf(spaceId, revision)}
    </p>
  </li>`;

const sideOf = (name: string, label: string, revision: RevisionLine, isChosen: boolean): Html =>
  html`<input
    type="radio"
    name="${name}"
    value="${revision.id}"
    aria-label="${label}: ${titleOf(revision)}, ${revision.createdAt.slice(0, 16)}"
    ${isChosen ? html`checked` : ""}
  />`;

/** Leads to the revision that is compared with the other one. */
export const comparedView = ({ space }: { readonly space: { readonly id: string } }, { search }: Asked): Shown => ({
  kind: "moved",
  status: 307,
  to: `${pathOfSpace(space.id)}/revisions/${encodeURIComponent(search.get("to") ?? "")}?since=${encodeURIComponent(search.get("from") ?? "")}`,
});

const kinds: Readonly<Record<string, string>> = {
  EDITS: "Edit",
  IMPORT: "Import",
  INITIAL: "Beginning of the space",
  MERGE: "Merge",
  UPDATE: "Update from the main content",
};

/** What a revision is called: its message, or what it did. */
export const titleOf = ({ message, type, mergedFrom }: RevisionLine): string =>
  message || mergedFrom?.subject || (kinds[type] ?? "Edit");

const fromOf = (spaceId: string, { mergedFrom }: RevisionLine): Html =>
  mergedFrom
    ? html`, merged from <a href="${pathOfChangeRequest(spaceId, mergedFrom.id)}">#${mergedFrom.number}</a>`
    : html``;
