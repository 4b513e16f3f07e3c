// One revision of a space: what differs from the one before it or from any other, and a button that restores it.
import type { SpaceAnswer } from "#src/features/content/views/answer.ts";
import { type RevisionLine, titleOf } from "#src/features/content/views/history.ts";
import { pathOfSpace, placeOf } from "#src/features/content/views/place.ts";
import { spacePage } from "#src/features/content/views/space-frame.ts";
import { timeOf } from "#src/features/users/views/app-frame.ts";
import { html, type Html } from "#src/http/html.ts";
import { formOf, problemOf } from "#src/pages/forms.ts";
import type { Asked, Shown } from "#src/pages/page.ts";

interface Line {
  readonly kind: "ADDED" | "REMOVED" | "CONTEXT";
  readonly text: string;
}

interface ChangedPage {
  readonly pageId: string;
  readonly kinds: readonly string[];
  readonly before: { readonly title: string } | null;
  readonly after: { readonly title: string } | null;
  readonly text: { readonly hunks: readonly { readonly lines: readonly Line[] }[] | null } | null;
}

export interface RevisionAnswer extends SpaceAnswer {
  readonly space: SpaceAnswer["space"] & { readonly revisions: { readonly nodes: readonly RevisionLine[] } };
  readonly node:
    | (RevisionLine & {
        readonly spaceId: string;
        readonly changes: {
          readonly revisionBefore: { readonly id: string; readonly createdAt: string } | null;
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
  const others = space.revisions.nodes.filter((one) => one.id !== id);
  if (others.length === 0) return html``;
  return html`<form class="compare quiet">
    <label
      >Compared with
      <select name="since">
        <option value="">The version before</option>
        ${others.map(
          (one) =>
            html`<option value="${one.id}" ${one.id === changes?.revisionBefore?.id ? html`selected` : ""}>
              ${one.createdAt.slice(0, 16).replace("T", " ")} ${titleOf(one)}
            </option>`,
        )}
      </select></label
    >
    <button>Compare</button>
  </form>`;
}

function changesOf({ changes }: NonNullable<RevisionAnswer["node"]>): Html {
  if (!changes || changes.pages.nodes.length === 0) return html`<p class="soft">No page differs.</p>`;
  const { nodes, totalCount } = changes.pages;
  return html`${nodes.map(
    (page) =>
      html`<section class="revision-change">
        <h2>${nameOf(page)} <span class="badge">${page.kinds.map((kind) => kind.toLowerCase()).join(", ")}</span></h2>
        ${linesOf(page)}
      </section>`,
  )}
  ${totalCount > nodes.length ? html`<p class="soft">And ${totalCount - nodes.length} more pages.</p>` : ""}`;
}

const nameOf = ({ before, after }: ChangedPage): string => {
  if (!before || !after || before.title === after.title) return (after ?? before)?.title ?? "";
  return `${before.title} → ${after.title}`;
};

const tags = {
  ADDED: (text: string) => html`<ins>${text}</ins>`,
  REMOVED: (text: string) => html`<del>${text}</del>`,
  CONTEXT: (text: string) => html`<span>${text}</span>`,
};

/** A line without its end; an empty one keeps its height. */
const shownLine = (text: string): string => text.replace(/\r?\n$/, "") || " ";

function linesOf({ text }: ChangedPage): Html {
  const hunks = text?.hunks ?? [];
  if (hunks.length === 0) return html``;
  return html`<div class="lines" tabindex="0" role="region" aria-label="Changed lines">
    ${hunks.map(({ lines }) => html`<pre>${lines.map((line) => tags[line.kind](shownLine(line.text)))}</pre>`)}
  </div>`;
}
