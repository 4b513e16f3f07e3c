// Page rows: a path, one GraphQL document, and the view of its answer. Features list theirs in `pages`.
import type { ErrorDetail } from "#src/base/errors.ts";
import type { Upload } from "#src/files/upload.ts";
import type { Html } from "#src/http/html.ts";
import type { Variables } from "#src/graph/run/execute.ts";
import type { AssetName } from "#src/pages/assets.ts";

/** The request of a page, as the functions of its row see it. */
export interface Asked {
  /** The values of the `:names` of the path, decoded. */
  readonly named: Readonly<Record<string, string>>;
  /** What the reader brought beside the address, such as the key of a link; secrets never appear in a view. */
  readonly given: Readonly<Record<string, string | null>>;
  /** The address of the part before `*`, without a slash at the end. */
  readonly root: string;
  /** The decoded part after it; empty without one. */
  readonly path: string;
  readonly search: URLSearchParams;
  /** The public address of the gateway, without a slash at the end. */
  readonly origin: string;
  /** What was wrong with the form of the page that the reader has sent; absent otherwise. */
  readonly problem?: FormProblem;
  /** The secret that a form of the page has made, such as the text of a token: it is shown this once. */
  readonly secret?: string;
  /** The answer to a form of the page, such as what an import has found: it is shown this once. */
  readonly made?: unknown;
}

/** A form that was sent and is shown again with what it contained: it was refused, or its row only shows it. */
export interface FormProblem {
  readonly form: string;
  /** For the reader; null if nothing was wrong. */
  readonly message: string | null;
  /** What is wrong with each part of the form, if the message does not say it. */
  readonly details?: readonly ErrorDetail[];
  readonly fields: URLSearchParams;
}

/** What the page shows of a form that succeeded, if it is shown again in place of another address. */
export interface ShownAgain {
  readonly secret?: string;
  readonly made?: unknown;
  /** The fields that its forms have then. */
  readonly fields?: URLSearchParams;
}

/** A form of a page: one mutation of the schema, run with the rights of the person who sends it. */
export interface Form<Answer> {
  readonly mutation: string;
  /**
   * The variables of the mutation, by the fields of the form; `file` is there if it takes files. A DomainError is shown
   * as what is wrong with the fields.
   */
  readonly variables: (fields: URLSearchParams, asked: Asked, file?: Upload) => Variables;
  /**
   * Whether it takes files, in the field `file` after all others: the mutation is run for each of them, or once for an
   * archive, which is the file that was sent or has all of them.
   */
  readonly takes?: "each file" | "one archive";
  /** The path of the gateway that the browser goes to afterwards; or the page is shown again. `all`: for each file. */
  readonly then: (answer: Answer, asked: Asked, fields: URLSearchParams, all: readonly Answer[]) => string | ShownAgain;
  /** The notice on the next page, such as `Saved.`; by default `Done.` */
  readonly notice?: string;
}

/** A form that is only shown again, such as one that asks for a preview of its text. */
export const shownAgain = "shown again";

/** Who may keep a response: any cache for a minute, the browser of the reader alone, or nobody. */
type Kept = "by anybody" | "by its reader" | "by nobody";

/** A page as HTML. The adapter adds the document around it and the headers. */
export interface ShownPage {
  readonly kind: "page";
  readonly status: number;
  /** The language of its text, such as `en`. */
  readonly language?: string;
  readonly title: string;
  /** Elements of the head besides the title, styles and scripts. */
  readonly head: Html;
  readonly body: Html;
  /** Styles after those that all pages have. */
  readonly styles?: readonly AssetName[];
  /** Scripts after those that all pages have. */
  readonly scripts?: readonly AssetName[];
  /** Classes of the body. */
  readonly style?: string;
  /** Whether the page shows changes as they happen, if its row listens. */
  readonly isLive?: boolean;
  /** Styles of this page alone, such as the colours of a site: values that were checked. */
  readonly theme?: string;
  /** The value of `X-Robots-Tag`; absent if search engines may list the page. */
  readonly robots?: string | undefined;
  readonly kept: Kept;
  /** Whether it has forms: they are refused without the origin of the page. */
  readonly hasForms?: boolean;
  /** Origins besides docgraph's own that a form may lead to, such as that of an application after a sign-in. */
  readonly formsLeadTo?: readonly string[];
}

/** A text for programs, such as a site map. */
export interface ShownText {
  readonly kind: "text";
  /** The media type with its charset. */
  readonly type: string;
  readonly text: string;
  readonly robots?: string | undefined;
  readonly kept: Kept;
}

/** Another address: of the same page for ever (308) or for now (307), or of what a form leads to (303). */
export interface Moved {
  readonly kind: "moved";
  readonly status: 303 | 307 | 308;
  readonly to: string;
}

/** What a view makes of an answer; null if nothing is at this address for this reader. */
export type Shown = ShownPage | ShownText | Moved | null;

/** One page. Of rows that match a path, the first that shows something other than a 404 responds. */
export interface PageRow<Answer> {
  /** Segments: a `:name`, which is an id if it ends with `Id` (`:siteId`), and `*` for the rest at the end. */
  readonly path: string;
  /** Query parameters without which the row does not match, such as `q` of a search. */
  readonly needs?: readonly string[];
  /** The only query of the page. Fields that are missing or not visible are null in its answer. */
  readonly query: string;
  /** The variables of the query; null if the row is not for this request. */
  readonly variables: (asked: Asked) => Variables | null;
  readonly view: (answer: Answer, asked: Asked) => Shown;
  /** What the page shows as it happens: all subscriptions come over one connection, of which browsers allow few. */
  readonly listens?: Listens | readonly Listens[];
  /**
   * A query that is cheaper than that of the page: its text is the version of everything that the view depends on. By
   * it pages for readers without an account are kept.
   */
  readonly version?: { readonly query: string; readonly of: (answer: never) => string };
  /** By the values of their hidden field `form` ({@link formOf}). */
  readonly forms?: Readonly<Record<string, Form<never> | typeof shownAgain>>;
  /** Asked after a 404: whether the page has another address. */
  readonly elsewhere?: Elsewhere;
}

/** A subscription with one field, and its variables; null if the page does not listen to it. */
export interface Listens {
  readonly subscription: string;
  readonly variables: (asked: Asked) => Variables | null;
}

export interface Elsewhere {
  readonly query: string;
  readonly variables: (asked: Asked) => Variables | null;
  readonly view: (answer: never, asked: Asked) => Moved | null;
}

/** A row as the adapter runs it. */
export type Page = PageRow<never>;

/** Defines a page with the type of its answer. */
export const definePage = <Answer>(row: PageRow<Answer>): Page => row;

/** Defines a form with the type of the answer to its mutation. */
export const defineForm = <Answer>(form: Form<Answer>): Form<never> => form;

/** Defines the search for another address of a page. */
export const defineElsewhere = <Answer>(
  of: Omit<Elsewhere, "view"> & { readonly view: (answer: Answer, asked: Asked) => Moved | null },
): Elsewhere => of;
