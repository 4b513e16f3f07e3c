// The requests of the section on growth.
import { type ContentFixture, proseOf, reworded, timeOf } from "#test/bench/content/fixture.ts";
import { openChangeRequest } from "#test/features/change-requests/scene.ts";
import { editAs } from "#test/features/content/edits.ts";
import { zipFile } from "#test/features/imports/files.ts";
import { importDocument } from "#test/features/imports/importing.ts";
import { openStream, type TestStream } from "#test/live/stream.ts";
import { times } from "#test/support/world.ts";

/** A space, with as many pages, comments, change requests and events as its size. */
export interface Grown extends ContentFixture {
  readonly size: number;
  readonly pageIds: readonly string[];
  readonly siteId: string;
  /** A stream of the comments of the space. */
  readonly stream: TestStream;
  /** The position before all events of the space. */
  readonly begin: string;
}

export interface Measured {
  readonly what: string;
  /** Whether the answer, or what is written, grows with the size. */
  readonly grows?: true;
  /** Fewer runs of what takes long. */
  readonly runs?: number;
  readonly ask: (grown: Grown, round: number) => Promise<unknown>;
}

const query =
  (document: string, variables: (grown: Grown) => object): Measured["ask"] =>
  (grown) =>
    grown.as.query(document, { ...variables(grown) });

const ofSpace = ({ made }: Grown) => ({ id: made.space.id });
const ofSite = ({ siteId }: Grown) => ({ id: siteId });

/** What subscribers elsewhere must not slow. */
export const writes: readonly Measured[] = [
  { what: "posting a comment", ask: (grown) => post(grown) },
  { what: "renaming the space", ask: (grown, round) => rename(grown, `Space ${round}`) },
  { what: "merging one changed line", ask: (grown, round) => merge(grown, round) },
];

export const measured: readonly Measured[] = [
  {
    what: "20 comments of a space",
    ask: query(
      "query ($id: ID!) { space(id: $id) { comments(first: 20) { nodes { id postedBy { displayName } } } } }",
      ofSpace,
    ),
  },
  {
    what: "their number",
    grows: true,
    ask: query("query ($id: ID!) { space(id: $id) { comments { totalCount } } }", ofSpace),
  },
  {
    what: "20 change requests with 5 comments each",
    ask: query(
      `query ($id: ID!) { space(id: $id) { changeRequests(first: 20) { nodes { number subject
        comments(first: 5) { nodes { id } } } } } }`,
      ofSpace,
    ),
  },
  {
    what: "the text of one page",
    ask: query(
      "query ($id: ID!, $page: ID!) { space(id: $id) { content { page(by: { id: $page }) { title markdown } } } }",
      (grown) => ({ ...ofSpace(grown), page: grown.pageIds.at(-1) }),
    ),
  },
  {
    what: "the whole tree of pages",
    grows: true,
    ask: query("query ($id: ID!) { space(id: $id) { content { allPages { pageId title path } } } }", ofSpace),
  },
  {
    what: "a search for three words of one page",
    ask: (grown, round) =>
      grown.as.query(
        "query ($id: ID!, $text: String!) { search(text: $text, in: { spaceId: $id }, first: 10) { nodes { title } } }",
        {
          ...ofSpace(grown),
          text: `page ${(round * 7) % grown.size} unique`,
        },
      ),
  },
  {
    what: "a page of a published site",
    ask: query('query ($id: ID!) { publishedSite(by: { id: $id }) { page(path: "") { title markdown } } }', ofSite),
  },
  {
    what: "the map of a published site",
    grows: true,
    ask: query("query ($id: ID!) { publishedSite(by: { id: $id }) { siteMap { path } } }", ofSite),
  },
  { what: "a comment until a subscriber has it", ask: (grown) => hear(grown) },
  { what: "a stream after as many missed events", grows: true, runs: 6, ask: (grown) => catchUp(grown) },
  ...writes,
  { what: "importing as many pages", grows: true, runs: 3, ask: (grown) => importPages(grown) },
];

/** Posts a comment, and returns its id. */
async function post({ as, made }: Pick<Grown, "as" | "made">): Promise<string> {
  const document = "mutation ($input: CreateCommentInput!) { createComment(input: $input) { comment { id } } }";
  const input = { contentOf: { spaceId: made.space.id }, text: { markdown: "Good." } };
  const { createComment } = await as.query<{ createComment: { comment: { id: string } } }>(document, { input });
  return createComment.comment.id;
}

async function hear({ stream, ...grown }: Grown): Promise<void> {
  const posted = await post(grown);
  while ((await stream.nextEvent())?.commentId !== posted);
}

function catchUp({ origin, made, size, begin }: Grown): Promise<unknown> {
  return timed(async () => {
    const { token } = made.admin;
    const missed = await openStream(origin, token, { space: made.space.id, after: begin });
    for (let heard = 0; heard < size;) if ((await missed.nextEvent())?.commentId !== undefined) heard++;
    missed.end();
  });
}

function rename({ as, made }: Grown, title: string): Promise<unknown> {
  const input = { spaceId: made.space.id, title };
  return as.query("mutation ($input: UpdateSpaceInput!) { updateSpace(input: $input) { space { id } } }", { input });
}

async function merge({ as, made, pageIds }: Grown, round: number): Promise<unknown> {
  const changeRequestId = await openChangeRequest(as, made.space.id);
  const place = (round * 7) % pageIds.length;
  const markdown = reworded(proseOf(place), 5, `This line was written in round ${round}.`);
  await editAs(as, { changeRequestId }, { updatePage: { pageId: pageIds[place], markdown } });
  const document = "mutation ($input: MergeChangeRequestInput!) { mergeChangeRequest(input: $input) { revisionId } }";
  return timed(() => as.query(document, { input: { changeRequestId } }));
}

async function importPages({ as, made, size }: Grown): Promise<unknown> {
  const changeRequestId = await openChangeRequest(as, made.space.id);
  const files = Object.fromEntries(times(size, (page) => [`page-${page}.md`, proseOf(page)]));
  const input = { contentOf: { changeRequestId }, from: { archive: zipFile(files) } };
  return timed(() => as.query(importDocument, { input }));
}

/** The part of a measurement that counts; the whole of it without one. */
export class Timed {
  readonly milliseconds: number;

  constructor(milliseconds: number) {
    this.milliseconds = milliseconds;
  }
}

const timed = async (work: () => Promise<unknown>): Promise<Timed> => new Timed(await timeOf(work));
