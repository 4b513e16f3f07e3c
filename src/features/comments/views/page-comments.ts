// A page block by block, with the comments on each block beside it and a form for another one.
import type { RichDocument, RichNode } from "#src/documents/document.ts";
import { previewOf } from "#src/features/comments/reads/targets.ts";
import type { Comment, Named } from "#src/features/change-requests/views/answer.ts";
import { commentForm, peopleList } from "#src/features/change-requests/views/comment-forms.ts";
import { commentView, problemsOfConversation } from "#src/features/change-requests/views/said.ts";
import type { SpaceAnswer } from "#src/features/content/views/answer.ts";
import { pathOfPage, placeOf } from "#src/features/content/views/place.ts";
import { spacePage } from "#src/features/content/views/space-frame.ts";
import { type ListEnd, nextOf } from "#src/features/users/views/app-lists.ts";
import { html, type Html } from "#src/http/html.ts";
import { emojiOf } from "#src/pages/icons.ts";
import type { Asked, Shown } from "#src/pages/page.ts";

interface CommentsOf {
  readonly comments: { readonly nodes: readonly Comment[]; readonly pageInfo: ListEnd } | null;
}

export interface PageComments {
  readonly page: {
    readonly pageId: string;
    readonly title: string;
    readonly emoji: string | null;
    readonly document: RichDocument | null;
    readonly ancestors: readonly { readonly pageId: string }[];
  } | null;
}

type Answer = SpaceAnswer<PageComments> & {
  readonly space: Partial<CommentsOf> & {
    readonly mayComment: { readonly comment: boolean };
    readonly members: { readonly nodes: readonly { readonly user: Named }[] } | null;
    readonly changeRequest?: Partial<CommentsOf> | null;
  };
};

/** Null for people who may not see the comments of the space. */
export function pageCommentsView(answer: SpaceAnswer<PageComments>, asked: Asked): Shown {
  const { space } = answer as Answer; // by the selection of its document
  const place = placeOf(answer);
  const page = place?.content.page;
  const comments = space.changeRequest ? space.changeRequest.comments : space.comments;
  if (!place || !page || !comments) return null;
  const about = { asked, pageId: page.pageId, mayComment: space.mayComment.comment, comments: comments.nodes };
  return spacePage(answer, place, {
    title: `Comments on ${page.title}`,
    open: { pageId: page.pageId, above: page.ancestors.map(({ pageId }) => pageId) },
    crumbs: [[page.title, pathOfPage(place, page.pageId)]],
    isLive: true,
    main: html`<h1 id="conversation">Comments on ${emojiOf(page.emoji)}${page.title}</h1>
      ${problemsOfConversation(asked)} ${blocksView(page.document, about)} ${othersView(page.document, about)}
      ${nextOf(comments.pageInfo, asked)} ${peopleList(space.members?.nodes.map(({ user }) => user) ?? [])}`,
  });
}

interface About {
  readonly asked: Asked;
  readonly pageId: string;
  readonly mayComment: boolean;
  readonly comments: readonly Comment[];
}

/** The blocks of a text; of lists, each item. */
const blocksOf = (document: RichDocument | null): readonly RichNode[] =>
  (document?.nodes ?? []).flatMap((node) =>
    node.object === "block" && node.type.startsWith("list-") ? node.nodes : [node],
  );

const keysIn = (node: RichNode): string[] =>
  node.object === "text" ? [node.key] : [node.key, ...node.nodes.flatMap(keysIn)];

function blocksView(document: RichDocument | null, about: About): Html {
  const blocks = blocksOf(document);
  if (blocks.length === 0) return html`<p class="soft">This page has no text yet.</p>`;
  return html`<ol class="blocks">
    ${blocks.map((block) => blockView(block, about))}
  </ol>`;
}

function blockView(block: RichNode, { asked, pageId, mayComment, comments }: About): Html {
  const keys = new Set(keysIn(block));
  const own = comments.filter(({ target: { node } }) => node && keys.has(node.key));
  const text = previewOf(block);
  const isChosen = asked.search.get("block") === block.key || asked.problem?.fields.get("block") === block.key;
  return html`<li id="block-${block.key}" class="${isHeading(block) ? "heading" : ""}">
    <p class="block-text">${text || html`<span class="soft">${"type" in block ? block.type : "text"}</span>`}</p>
    ${
      own.length === 0
        ? ""
        : html`<ol class="conversation">
            ${own.map((one) => commentView(one, asked))}
          </ol>`
    }
    ${
      mayComment && !isChosen
        ? html`<a class="comment-on" href="${linkTo(asked, block.key)}"
            >Comment<span class="hidden"> on ${text.slice(0, 60)}</span></a
          >`
        : ""
    }
    ${mayComment && isChosen ? commentForm(asked, { pageId, block: block.key }) : ""}
  </li>`;
}

const isHeading = (node: RichNode): boolean => node.object === "block" && node.type.startsWith("heading-");

const linkTo = ({ root }: Asked, key: string): string =>
  `${root}?block=${encodeURIComponent(key)}#block-${encodeURIComponent(key)}`;

/** Comments on the page as a whole, and those whose block has changed since. */
function othersView(document: RichDocument | null, { asked, pageId, mayComment, comments }: About): Html {
  const keys = new Set(document?.nodes.flatMap(keysIn));
  const others = comments.filter(({ target: { node } }) => !node || !keys.has(node.key));
  return html`<section aria-labelledby="whole">
    <h2 id="whole">On the page as a whole</h2>
    ${
      others.length === 0
        ? ""
        : html`<ol class="conversation">
            ${others.map((comment) => commentView(comment, asked, formerBlock(comment)))}
          </ol>`
    }
    ${mayComment ? commentForm(asked, { pageId }) : ""}
  </section>`;
}

const formerBlock = ({ target: { node } }: Comment): Html =>
  node
    ? html`<p class="about soft">
        <span class="badge">Outdated</span> on a part that has changed since
        ${node.preview ? html`<q>${node.preview}</q>` : ""}
      </p>`
    : html``;
