// The page of one change request: what it changes, what people say about it, and what can be done with it.
import { mergeView, settingsView } from "#src/features/change-requests/views/actions.ts";
import type { ChangeRequest, ChangeRequestAnswer } from "#src/features/change-requests/views/answer.ts";
import { outcomeBadge, statusBadge } from "#src/features/change-requests/views/badges.ts";
import { changesView } from "#src/features/change-requests/views/changes.ts";
import { conflictsView } from "#src/features/change-requests/views/conflicts.ts";
import { conversationView } from "#src/features/change-requests/views/conversation.ts";
import { pathOfList } from "#src/features/change-requests/views/paths.ts";
import { pathOfSpace } from "#src/features/content/views/place.ts";
import { refusalBeside } from "#src/features/change-requests/views/refusal.ts";
import { reviewersView, verdictForm } from "#src/features/change-requests/views/reviews.ts";
import { appPage, presentView, timeOf } from "#src/features/users/views/app-frame.ts";
import { html, type Html } from "#src/http/html.ts";
import type { Asked, ShownPage } from "#src/pages/page.ts";

export function changeRequestView(answer: ChangeRequestAnswer, asked: Asked): ShownPage | null {
  const { space } = answer;
  if (!space.changeRequest) return null;
  const request = { ...space.changeRequest, conflicts: space.compared?.conflicts ?? null };
  const name = request.subject || "No subject";
  const main = html`${conflictsView(request, asked)} ${changesView(request, asked)}
  ${conversationView(answer, request, asked)}`;
  const aside = html`${mergeView(request, asked)} ${verdictForm(request, asked)}
  ${reviewersView(answer, request, asked)} ${settingsView(request, asked)}`;
  return appPage(answer, {
    title: `${name} #${request.number}`,
    crumbs: [
      ["Home", "/app"],
      [space.title, pathOfSpace(space.id)],
      ["Change requests", pathOfList(space.id)],
    ],
    isLive: true,
    main: html`${headOf(request, name, asked)} ${presentView(answer)} ${refusalBeside(asked, [main, aside])} ${main}`,
    aside,
  });
}

const headOf = (request: ChangeRequest, name: string, { root }: Asked): Html =>
  html`<h1>${name} <span class="soft">#${request.number}</span></h1>
    <p class="facts">
      ${statusBadge(request.status)} ${outcomeBadge(request.reviewStatus)}
      <span class="soft">${request.createdBy.displayName}, ${timeOf(request.createdAt)}</span>
    </p>
    <nav class="filters" aria-label="Parts of the change request">
      <ul>
        <li><a href="#changes">Changes ${request.changes.pages.totalCount}</a></li>
        <li><a href="${root}/pages">All pages</a></li>
        <li><a href="#conversation">Conversation ${request.comments.totalCount}</a></li>
        <li><a href="${root}/pdf">PDF</a></li>
        ${request.status === "MERGED" ? "" : html`<li class="narrow"><a href="#merge">Review and merge</a></li>`}
      </ul>
    </nav>`;
