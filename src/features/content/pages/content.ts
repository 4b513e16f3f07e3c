// What the rows of pages about a content share: their addresses, and the variables of their documents.
import { documentOf, type Owner, type SpaceAnswer } from "#src/features/content/views/answer.ts";
import {
  type Asked,
  defineForm,
  definePage,
  type Listens,
  type Page,
  type PageRow,
  type Shown,
} from "#src/pages/page.ts";
import { pathOfChangeRequest } from "#src/features/content/views/place.ts";
import type { Variables } from "#src/graph/run/execute.ts";

/** The path of the pages of each kind of content. */
const rootOf: Readonly<Record<Owner, string>> = {
  space: "/app/spaces/:spaceId",
  "change request": "/app/spaces/:spaceId/change-requests/:changeRequestId",
};

/** The variables of every document: a page of a space has no change request. */
const ofContent = ({ named }: Asked) => ({
  space: named["spaceId"],
  ...(named["changeRequestId"] !== undefined && { changeRequest: named["changeRequestId"] }),
});

/** The input that names the content in mutations. */
export const contentIn = ({ named: { spaceId, changeRequestId } }: Asked) =>
  changeRequestId === undefined ? { spaceId } : { changeRequestId };

/** The address of the content of a page. */
export const addressOf = ({ named: { spaceId = "", changeRequestId } }: Asked): string =>
  changeRequestId === undefined ? `/app/spaces/${spaceId}` : pathOfChangeRequest(spaceId, changeRequestId);

/** The subscription to who looks at a subject, with what `live.js` shows of them. */
export const presentAt = (subject: "spaceId" | "changeRequestId") => `subscription PresentAt($id: ID!) {
  presence(of: { ${subject}: $id }) { __typename ... on PresenceChanged { totalCount users { id displayName } } }
}`;

interface ContentRow<Shape> extends Pick<PageRow<never>, "forms" | "listens"> {
  /** Below the content, such as `/pages/:pageId`. */
  readonly path: string;
  readonly document: Parameters<typeof documentOf>[1];
  readonly variables?: (asked: Asked) => Variables | null;
  readonly view: (answer: SpaceAnswer<Shape>, asked: Asked) => Shown;
  /** Whether it shows changes of the content as they happen; a still page shows only who else looks. */
  readonly isLive?: boolean | "still";
}

/** What a page of each kind of content listens to: its changes, and who else looks. */
const listens: Readonly<Record<Owner, { readonly changes: Listens; readonly presence: Listens }>> = {
  space: {
    changes: {
      subscription: `subscription ChangesOfContent($space: ID!) {
        spaceEvents(of: { spaceId: $space }, kinds: [SPACE_CONTENT_EDITED, CHANGE_REQUEST_MERGED, CONTENT_IMPORTED]) { __typename }
      }`,
      variables: ofContent,
    },
    presence: { subscription: presentAt("spaceId"), variables: ({ named }) => ({ id: named["spaceId"] }) },
  },
  "change request": {
    changes: {
      subscription: `subscription ChangesOfChangeRequestContent($changeRequest: ID!) {
        changeRequestEvents(of: { changeRequestId: $changeRequest }) { __typename }
      }`,
      variables: ({ named }) => ({ changeRequest: named["changeRequestId"] }),
    },
    presence: {
      subscription: presentAt("changeRequestId"),
      variables: ({ named }) => ({ id: named["changeRequestId"] }),
    },
  },
};

/** The rows of a page for the content of spaces, and for that of change requests. */
export function contentPages<Shape>({ path, document, variables, isLive = false, ...row }: ContentRow<Shape>): Page[] {
  const owners: readonly Owner[] = ["space", "change request"];
  return owners.map((owner) =>
    definePage<SpaceAnswer<Shape>>({
      ...row,
      path: rootOf[owner] + path,
      query: documentOf(owner, document),
      variables(asked) {
        const own = variables ? variables(asked) : {};
        return own && { ...ofContent(asked), ...own };
      },
      ...(isLive && { listens: [listens[owner].presence, ...(isLive === "still" ? [] : [listens[owner].changes])] }),
    }),
  );
}

/** Opens a change request, and goes on at a path of its content. */
export const beginChangeRequest = (next: (asked: Asked) => string) =>
  defineForm<{ readonly createChangeRequest: { readonly changeRequest: { readonly id: string } } }>({
    mutation: `mutation BeginChangeRequest($spaceId: ID!) {
      createChangeRequest(input: { spaceId: $spaceId }) { changeRequest { id } }
    }`,
    variables: (_fields, { named }) => ({ spaceId: named["spaceId"] }),
    then: ({ createChangeRequest: { changeRequest } }, asked) =>
      pathOfChangeRequest(asked.named["spaceId"] ?? "", changeRequest.id) + next(asked),
  });
