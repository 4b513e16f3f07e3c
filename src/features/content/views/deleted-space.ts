// The page of a deleted space, for those who may restore it.
import { pathOfSpace } from "#src/features/content/views/place.ts";
import { type AppFrame, appPage, timeOf } from "#src/features/users/views/app-frame.ts";
import { html } from "#src/http/html.ts";
import { formOf } from "#src/pages/forms.ts";
import type { Shown } from "#src/pages/page.ts";

export interface DeletedSpace extends AppFrame {
  readonly space: {
    readonly id: string;
    readonly title: string;
    readonly deletedAt: string | null;
    readonly permissions: { readonly admin: boolean };
  };
}

export function deletedSpaceView(answer: DeletedSpace): Shown {
  const { id, title, deletedAt, permissions } = answer.space;
  if (deletedAt === null) return null;
  return appPage(answer, {
    title,
    crumbs: [[title, pathOfSpace(id)]],
    main: html`<h1>${title} was deleted</h1>
      <p>It was deleted on ${timeOf(deletedAt)}, and is removed for good seven days later.</p>
      ${permissions.admin ? formOf("restore", html`<button>Restore the space</button>`) : ""}`,
  });
}
