// What pages of the application select of a space and its content, and the types of their answers.
import { type AppFrame, appFrame } from "#src/features/users/views/app-frame.ts";
import type { Heading } from "#src/features/content/views/outline.ts";
import type { TreePage } from "#src/features/content/views/page-tree.ts";

interface SpaceProfile {
  readonly id: string;
  readonly title: string;
  readonly emoji: string;
  readonly editMode: "LIVE" | "LOCKED";
  readonly openChangeRequestCount: number;
  readonly organization: { readonly id: string; readonly title: string } | null;
  readonly urls: { readonly published: string | null };
  readonly permissions: Readonly<Record<"access" | "edit" | "admin", boolean>>;
  /** The viewer's own, newest first. */
  readonly changeRequests: { readonly nodes: readonly ChangeRequestName[] };
}

export interface ChangeRequestName {
  readonly id: string;
  readonly number: number;
  readonly subject: string;
}

export interface Content {
  readonly id: string;
  readonly allPages: readonly TreePage[];
}

/** The answer of a page that shows the main content of a space, or that of a change request. */
export interface SpaceAnswer<Shown = unknown> extends AppFrame {
  readonly space: SpaceProfile & {
    readonly content?: Content & Shown;
    readonly changeRequest?:
      | (ChangeRequestName & {
          readonly status: string;
          readonly permissions: { readonly edit: boolean };
          readonly content: Content & Shown;
        })
      | null;
  };
}

export interface AppPage extends TreePage {
  readonly description: string | null;
  readonly updatedAt: string;
  /** Sanitised HTML. */
  readonly html: string | null;
  readonly outline: readonly Heading[];
  readonly ancestors: readonly { readonly pageId: string; readonly title: string; readonly type: string }[];
  readonly children: readonly (TreePage & { readonly description: string | null })[];
  readonly previous: PageName | null;
  readonly next: PageName | null;
  readonly target: {
    readonly url: string | null;
    readonly page: { readonly pageId: string; readonly title: string } | null;
  } | null;
}

interface PageName {
  readonly pageId: string;
  readonly title: string;
}

/** The fragments that each document of these pages ends with. */
const spaceFragments = `
  fragment SpaceProfile on Space {
    id title emoji editMode openChangeRequestCount organization { id title } urls { published }
    permissions { access edit admin }
    changeRequests(mine: true, statuses: [DRAFT, OPEN], first: 5) { nodes { id number subject } }
  }
  fragment SpaceTree on Revision { id allPages { pageId title level type emoji } }
  ${appFrame}`;

/** Whose content a page shows, by its address. */
export type Owner = "space" | "change request";

interface DocumentParts {
  readonly name: string;
  readonly variables?: string;
  /** Selects from the content. */
  readonly content: string;
  /** Selects from the space. */
  readonly more?: string;
  /** Selects from the query. */
  readonly beside?: string;
  /** Selects from the space or the change request, which both have such fields. */
  readonly ofOwner?: string;
  readonly fragments?: string;
}

/** The document of a page that shows a content. */
export function documentOf(
  owner: Owner,
  { name, variables = "", content, more = "", beside = "", ofOwner = "", fragments = "" }: DocumentParts,
): string {
  const selected = `${ofOwner} content { ...SpaceTree ${content} }`;
  const [declared, inside] =
    owner === "space"
      ? ["", selected]
      : [
          ", $changeRequest: ID!",
          `changeRequest(by: { id: $changeRequest }) { id number subject status permissions { edit } ${selected} }`,
        ];
  const operation = owner === "space" ? name : `${name}InChangeRequest`;
  return `query ${operation}($space: ID!${declared}${variables}) {
    space(id: $space) { ...SpaceProfile ${more} ${inside} } ${beside} ...AppFrame
  } ${fragments} ${spaceFragments}`;
}
