// The shared components of the three React applications, which differ in how they load data.
import { type ReactNode, StrictMode, useState } from "react";
import { createRoot } from "react-dom/client";

/** A displayed comment. */
interface ShownComment {
  readonly id: string;
  readonly author: string;
  readonly text: string;
  readonly isOutdated: boolean;
}

interface Screens {
  /** The list of spaces; `open` shows one of them. */
  readonly Spaces: (props: { readonly open: (spaceId: string) => void }) => ReactNode;
  readonly Texts: (props: { readonly spaceId: string }) => ReactNode;
  readonly Outline: (props: { readonly spaceId: string }) => ReactNode;
  readonly Discussion: (props: { readonly spaceId: string }) => ReactNode;
}

/** Shows an application: the spaces, or one of them with its texts and comments. */
export function show(screens: Screens, around: (inside: ReactNode) => ReactNode): void {
  const root = document.getElementById("root");
  if (root) createRoot(root).render(<StrictMode>{around(<App {...screens} />)}</StrictMode>);
}

function App({ Spaces, Texts, Outline, Discussion }: Screens): ReactNode {
  const [spaceId, open] = useState<string | null>(null);
  const [hasOutline, showOutline] = useState(false);
  if (spaceId === null) return <Spaces open={open} />;
  return (
    <>
      <button onClick={() => open(null)}>All spaces</button>
      <button onClick={() => showOutline(true)}>Outline</button>
      {hasOutline && <Outline spaceId={spaceId} />}
      <Texts spaceId={spaceId} />
      <Discussion spaceId={spaceId} />
    </>
  );
}

interface SpaceListProps {
  readonly title: string;
  readonly spaces: readonly { readonly id: string; readonly title: string }[];
  readonly open: (spaceId: string) => void;
  /** Reads the next page; null after the last one. */
  readonly more: (() => void) | null;
}

export const SpaceList = ({ title, spaces, open, more }: SpaceListProps): ReactNode => (
  <main>
    <h1>{title}</h1>
    <ul aria-label="Spaces">
      {spaces.map((space) => (
        <li key={space.id}>
          <button onClick={() => open(space.id)}>{space.title}</button>
        </li>
      ))}
    </ul>
    {more && <button onClick={more}>More spaces</button>}
  </main>
);

export const PageTitles = ({ titles }: { readonly titles: readonly string[] }): ReactNode => (
  <ul aria-label="Outline">
    {titles.map((title) => (
      <li key={title}>{title}</li>
    ))}
  </ul>
);

export const PageText = ({ title, text }: { readonly title: string; readonly text: ReactNode }): ReactNode => (
  <article>
    <h2>{title}</h2>
    <p>{text}</p>
  </article>
);

interface CommentListProps {
  readonly comments: readonly ShownComment[];
  readonly more: (() => void) | null;
  readonly write: (text: string) => void;
  readonly remove: (commentId: string) => void;
}

export const CommentList = ({ comments, more, write, remove }: CommentListProps): ReactNode => (
  <section>
    <ul aria-label="Comments">
      {comments.map(({ id, author, text, isOutdated }) => (
        <li key={id}>
          {author}: {text} {isOutdated && <em>(outdated)</em>}
          <button onClick={() => remove(id)}>Delete</button>
        </li>
      ))}
    </ul>
    {more && <button onClick={more}>More comments</button>}
    <form action={(fields) => write(String(fields.get("text")))}>
      <input name="text" aria-label="Comment" />
      <button>Write</button>
    </form>
  </section>
);

/** The cursor of the last message about each space. */
const seen = new Map<string, string>();

/** Records a received message, so that reopening the space resumes after it. */
export function noteSeen(spaceId: string, cursor: string): void {
  seen.set(spaceId, cursor);
}

/** The cursor to subscribe after: the last message about the space, or the cursor of the query. */
export function useStart(spaceId: string, cursor: string | undefined): string | undefined {
  const [start, begin] = useState(cursor && (seen.get(spaceId) ?? cursor));
  if (start === undefined && cursor !== undefined) begin(seen.get(spaceId) ?? cursor);
  return start;
}

export const Waiting = (): ReactNode => <p>Loading…</p>;
