// The page of a space under `/app/`, with the list of its pages.
import { type AppPage, linkTo } from "#src/http/app-pages.ts";
import { html } from "#src/http/html.ts";

interface Contents {
  readonly space: {
    readonly content: {
      readonly allPages: readonly { readonly title: string; readonly urls: { readonly app: string } }[];
    };
  };
}

export const spacePages: readonly AppPage[] = [
  {
    path: "spaces/:space",
    type: "Space",
    query: "space(id: $space) *",
    below: {
      query: "space(id: $space) { content { id allPages { title level urls { app } } } }",
      show: ({ space }: Contents) =>
        space.content.allPages.length === 0
          ? html``
          : html`<h2>Pages</h2>
              <nav>
                <ul>
                  ${space.content.allPages.map(({ title, urls }) => html`<li>${linkTo(urls.app, title)}</li>`)}
                </ul>
              </nav>`,
    },
  },
];
