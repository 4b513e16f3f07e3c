// One revision of a space: what differs from the one before it or from any other, and a button that restores it.
import type { SpaceAnswer } from "#src/features/content/views/answer.ts";
import { type RevisionLine, titleOf } from "#src/features/content/views/history.ts";
import { pathOfSpace, placeOf } from "#src/features/content/views/place.ts";
import { spacePage } from "#src/features/content/views/space-frame.ts";
import { type Hunk, TextDiffs } from "#src/features/content/views/text-diff.ts";
import { timeOf } from "#src/features/users/views/app-frame.ts";
import { html, type Html } from "#src/http/html.ts";
import { formOf, problemOf } from "#src/pages/forms.ts";
import type { Asked, Shown } from "#src/pages/page.ts";

interface ChangedPage {
  readonly pageId: string;
  readonly kinds: readonly string[];
  readonly before: { readonly title: string } | null;
  readonly after: { readonly title: string } | null;
  readonly text: { readonly hunks: readonly Hunk[] | null } | null;
}

export interface RevisionAnswer extends SpaceAnswer {
  readonly space: SpaceAnswer["space"] & { readonly revisions: { readonly nodes: readonly RevisionLine[] } };
  readonly node:
    | (RevisionLine & {
        readonly spaceId: string;
        readonly changes: {
          readonly revisionBefore: RevisionLine | null;
          readonly pages: { readonly totalCount: number; readonly nodes: readonly ChangedPage[] };
        } | null;
      })
    | null;
}

export function revisionView(answer: RevisionAnswer, asked: Asked): Shown {
  const { space, node: revision } = answer;
  const place = placeOf(answer);
  if (!place || revision?.spaceId !== space.id) return null;
  const isCurrent = revision.id === place.content.id;
  const title = titleOf(revision);
  return spacePage(answer, place, {
    title,
    part: "history",
    crumbs: [["History", `${pathOfSpace(space.id)}/history`]],
    main: html`<h1>${title}</h1>
      <p class="soft">
        ${revision.author?.displayName ?? "Unknown"}, ${timeOf(revision.createdAt)}
        ${isCurrent ? html`<span class="badge">current</span>` : ""}
      </p>
      ${problemOf(asked, "restore")}
      ${
        place.isEditable && !isCurrent
          ? formOf("restore", html`<button>Restore this version</button>`, { style: "quiet" })
          : ""
      }
      ${comparison(answer, revision)} ${changesOf(revision)}`,
  });
}

/** A form that compares with one of the latest revisions. */
function comparison({ space }: RevisionAnswer, { id, changes }: NonNullable<RevisionAnswer["node"]>): Html {
  const before = changes?.revisionBefore;
  const isListed = space.revisions.nodes.some((one) => one.id === before?.id);
  const listed = before && !isListed ? [...space.revisions.nodes, before] : space.revisions.nodes;
  const others = listed.filter((one) => one.id !== id);
  if (others.length === 0) return html``;
  return html`<form class="compare quiet">
    <label
      >Compared with
      <select name="since">
        <option value="">The version before</option>
        ${others.map(
          (one) =>
            html`<option value="${one.id}" ${one.id === before?.id ? html`selected` : ""}>
              ${one.createdAt.slice(0, 16).replace("T", " ")} ${titleOf(one)}
            </option>`,
        )}
      </select></label
    >
    <button>Compare</button>
  </form>`;
}

const tooLong = html`<p class="soft">The texts differ too much to show it here.</p>`;

function changesOf({ changes }: NonNullable<RevisionAnswer["node"]>): Html {
  if (!changes || changes.pages.nodes.length === 0) return html`<p class="soft">No page differs.</p>`;
  const { nodes, totalCount } = changes.pages;
  const diffs = new TextDiffs();
  return html`${nodes.map(
    (page) =>
      html`<section class="revision-change">
        <h2>${nameOf(page)} <span class="badge">${page.kinds.map((kind) => kind.toLowerCase()).join(", ")}</span></h2>
        ${page.text?.hunks ? diffs.lines(page.text.hunks) : page.text ? tooLong : ""}
      </section>`,
  )}
  ${totalCount > nodes.length ? html`<p class="soft">And ${totalCount - nodes.length} more pages.</p>` : ""}`;
}

const nameOf = ({ before, after }: ChangedPage): string => {
  if (!before || !after || before.title === after.title) return (after ?? before)?.title ?? "";
  return `${before.title} → ${after.title}`;
};
