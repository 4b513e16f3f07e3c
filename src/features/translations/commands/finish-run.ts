// Writes the result of a run. The engine's content is merged into the translated space, which people may have edited
// since the last run; conflicts keep the edits of people, and become a change request.
import { notFound } from "#src/base/errors.ts";
import { sql } from "#src/db/connection/database.ts";
import type { Transaction } from "#src/domain/change.ts";
import type { DomainEvent } from "#src/events/event.ts";
import { appendEvents } from "#src/events/outbox.ts";
import { addChangeRequest } from "#src/features/change-requests/commands/change-request.ts";
import { changeRequestEvents } from "#src/features/change-requests/events.ts";
import { storeInParts, readTree, writeRevision } from "#src/features/content/commands/write-content.ts";
import { indexWritten } from "#src/features/content/commands/index-texts.ts";
import { type ContentPlace, type Head, lockMainContent, readHead } from "#src/features/content/commands/lock.ts";
import { Comparer } from "#src/features/content/reads/comparer.ts";
import { mergeInside, storeMerge } from "#src/features/content/commands/merge-content.ts";
import { asWritten } from "#src/features/content/model/computed.ts";
import {
  type ContentState,
  hashText,
  isSameContent,
  type ReusableContent,
} from "#src/features/content/model/content-state.ts";
import { Draft, type NewContent } from "#src/features/content/model/draft.ts";
import type { ContentMerge } from "#src/features/content/model/merge/content.ts";
import type { Side, Sides } from "#src/features/content/model/merge/sides.ts";
import type { Translating, TranslationRun } from "#src/features/translations/commands/translation-run.ts";
import type { Translated } from "#src/features/translations/commands/translate-source.ts";
import { translationEvent, translationEvents } from "#src/features/translations/events.ts";
import { sourceHashOf, targetPageId, targetPages } from "#src/features/translations/model/target-pages.ts";
import type { TranslationModel } from "#src/generated/prisma/models.ts";

/** The timeout of the transaction, in milliseconds; no request waits for it. */
const timeout = 60_000;

/** The result of a run has no author. */
const byNobody = ({ clock }: Translating) => ({ viewer: { userId: null }, clock });

/** Writes the result of a run, and ends it. Throws CONFLICT if the claim of the translation has ended. */
export async function finishRun(at: Translating, run: TranslationRun, translated: Translated): Promise<void> {
  const { database, clock } = at;
  const { translation } = run;
  const made = await makeContent(at, translation, translated);
  await storeInParts(database, made.stored);
  await database.prisma.$transaction(
    async (transaction) => {
      const { organizationId, resultSpaceId } = translation;
      const place = { organizationId, spaceId: resultSpaceId ?? "", changeRequestId: null };
      const head = await lockMainContent(transaction, place);
      const put = await putContent({ transaction, at, translation, place }, head, made);
      await keepPages(transaction, translation.id, translated);
      const { source, warnings } = translated;
      const before = await run.finish(transaction, {
        ...put.columns,
        sourceRevisionId: source.revisionId,
        allPages: translated.pages.size,
        donePages: translated.pages.size,
        warnings: warnings.map((warning) => ({ ...warning })),
        dueAt: (await isStale(transaction, translation, source)) ? clock.now() : null,
      });
      const facts = {
        revisionId: put.columns.resultRevisionId,
        changeRequestId: put.changeRequestId,
        words: before.latestWords,
        pages: before.latestPages,
      };
      const event = translationEvent(translationEvents.completed, translation, facts);
      await appendEvents(transaction, null, [...put.events, event]);
    },
    { timeout },
  );
}

/** The content from the engine alone, based on its last content. */
interface MadeContent {
  readonly base: Head;
  readonly state: ContentState;
  readonly stored: NewContent;
  readonly isNew: boolean;
}

async function makeContent(
  { database: { prisma }, clock }: Translating,
  { id, engineRevisionId, engineTreeHash }: TranslationModel,
  { source, tree, pages, reusable, anchors }: Translated,
): Promise<MadeContent> {
  if (engineRevisionId === null) throw notFound("translated space");
  const base = await readHead(prisma, engineRevisionId);
  const before = asWritten(await readTree(prisma, base.treeHash));
  const draft = new Draft(before, clock.now());
  const textOf = ({ pageId, title }: { pageId: string; title: string }) => pages.get(pageId) ?? { title, markdown: "" };
  draft.replaceAll(targetPages({ translationId: id, source: tree, before, textOf, anchors }));
  const content = draft.finish();
  const documents = new Map(content.documents);
  const reusableContents: Record<string, ReusableContent> = {};
  for (const [reusableId, { title }] of Object.entries(source.reusableContents)) {
    const text = reusable.get(reusableId) ?? "";
    reusableContents[reusableId] = { title, documentHash: text === "" ? null : hashText(text) };
    if (text !== "") documents.set(hashText(text), text);
  }
  const { filesHash, variables } = source;
  const state = { treeHash: content.treeHash, filesHash, variables, reusableContents };
  const isNew = !isSameContent(state, { ...base, treeHash: engineTreeHash });
  return { base, state, stored: { ...content, documents }, isNew };
}

interface Place {
  readonly transaction: Transaction;
  readonly at: Translating;
  readonly translation: TranslationModel;
  readonly place: ContentPlace;
}

interface Put {
  readonly columns: {
    readonly resultRevisionId: string;
    readonly engineRevisionId?: string;
    readonly engineTreeHash?: string | null;
  };
  readonly changeRequestId: string | null;
  readonly events: readonly DomainEvent[];
}

/** Writes the content to the translated space, whose main content is locked. */
async function putContent(to: Place, head: Head, made: MadeContent): Promise<Put> {
  if (!made.isNew) return { columns: { resultRevisionId: head.revisionId }, changeRequestId: null, events: [] };
  const { transaction, at, place } = to;
  await indexWritten(transaction, place.spaceId, made.stored.documents);
  if (head.revisionId !== made.base.revisionId) return mergeContent(to, head, made);
  const { result, events } = await writeRevision(transaction, byNobody(at), place, {
    head,
    content: made.state,
    type: "update",
    message: null,
  });
  const { revisionId } = result;
  const engineTreeHash = made.state.treeHash;
  const columns = { resultRevisionId: revisionId, engineRevisionId: revisionId, engineTreeHash };
  return { columns, changeRequestId: null, events };
}

/** Merges the content into a space that people have edited, by a change request that stays open for conflicts. */
async function mergeContent(to: Place, theirs: Head, made: MadeContent): Promise<Put> {
  const { state, base } = made;
  const proposal = await propose(to, made);
  const heads = { base, ours: proposal.head, theirs };
  const merged = await mergeClean(to, heads);
  const ended = merged.isClean
    ? await close(to, proposal, merged.main)
    : await openForReview(to, proposal, heads, merged.main);
  const engine = { engineRevisionId: proposal.head.revisionId, engineTreeHash: state.treeHash };
  return {
    columns: { resultRevisionId: merged.main.revisionId, ...engine },
    changeRequestId: merged.isClean ? null : proposal.id,
    events: [...proposal.events, ...merged.events, ...ended],
  };
}

interface Proposal {
  readonly id: string;
  readonly number: number;
  readonly head: Head;
  readonly events: readonly DomainEvent[];
}

const subject = "Update of the translation";

async function propose(
  { transaction, at, translation, place }: Place,
  { base, state }: MadeContent,
): Promise<Proposal> {
  const { createdById } = translation;
  const of = { subject, createdById, revisionId: base.revisionId, now: at.clock.now() };
  const { id, number, events } = await addChangeRequest(transaction, place, of);
  const update = { head: base, content: state, type: "update", message: null } as const;
  const proposed = await writeRevision(transaction, byNobody(at), { ...place, changeRequestId: id }, update);
  const head = await readHead(transaction, proposed.result.revisionId);
  return { id, number, head, events: [...events, ...proposed.events] };
}

type Merged = { readonly main: Head; readonly isClean: boolean; readonly events: readonly DomainEvent[] };

/** Merges all changes without conflicts into the main content. */
async function mergeClean({ transaction, at, place }: Place, heads: Sides<Head>): Promise<Merged> {
  const { ours, theirs } = heads;
  const { merge, isClean } = await mergeBy(transaction, heads, "theirs");
  const none = { main: theirs, isClean, events: [] };
  if (!merge) return none;
  const content = await storeMerge(transaction, heads, merge, { spaceId: place.spaceId, now: at.clock.now() });
  if (isSameContent(content, theirs)) return none;
  const of = { head: theirs, content, type: "merge", message: null, mergedIn: ours } as const;
  const written = await writeRevision(transaction, byNobody(at), place, of);
  return { main: await readHead(transaction, written.result.revisionId), isClean, events: written.events };
}

/** Marks a change request as merged. */
async function close({ transaction, at, place }: Place, { id, head }: Proposal, main: Head): Promise<DomainEvent[]> {
  const { organizationId, spaceId } = place;
  const data = { status: "merged", revisionMergedId: main.revisionId, updatedAt: at.clock.now() } as const;
  await transaction.changeRequest.update({ where: { id }, data, select: { id: true } });
  const payload = { revisionId: main.revisionId, mergedRevisionId: head.revisionId };
  return [{ type: changeRequestEvents.merged, subjectId: id, organizationId, spaceId, payload }];
}

/** Opens a change request with the conflicting rest, based on the current main content. */
async function openForReview(
  { transaction, at, place }: Place,
  { id, number, head }: Proposal,
  heads: Sides<Head>,
  main: Head,
): Promise<DomainEvent[]> {
  const { organizationId, spaceId } = place;
  await transaction.changeRequest.update({ where: { id }, data: { status: "open" }, select: { id: true } });
  const payload = { number, subject, statusBefore: "draft" };
  const opened = { type: changeRequestEvents.opened, subjectId: id, organizationId, spaceId, payload };
  const { merge } = await mergeBy(transaction, heads, "ours");
  if (!merge) return [opened];
  const content = await storeMerge(transaction, heads, merge, { spaceId, now: at.clock.now() });
  const of = { head, content, type: "update", message: null, mergedIn: main } as const;
  const { events } = await writeRevision(transaction, byNobody(at), { ...place, changeRequestId: id }, of);
  return [opened, ...events];
}

/** The limit of rounds of choices, each of which may reveal further conflicts. */
const rounds = 10;

/** Merges, and resolves conflicts in favour of one side; null if that is not possible. */
async function mergeBy(
  transaction: Transaction,
  heads: Sides<Head>,
  side: Side,
): Promise<{ merge: ContentMerge | null; isClean: boolean }> {
  const choices = new Map<string, Side>();
  const comparing = new Comparer();
  for (let round = 0; round < rounds; round++) {
    const merge = await mergeInside(transaction, heads, { comparing, choices });
    if (merge.conflicts.length === 0) return { merge, isClean: choices.size === 0 };
    for (const { id } of merge.conflicts) choices.set(id, side);
  }
  return { merge: null, isClean: false };
}

/** Records the source page of each translated page, and the translated state. */
async function keepPages(transaction: Transaction, translationId: string, { tree }: Translated): Promise<void> {
  const rows = Array.from(tree.byId.values(), (page) => ({
    translationId,
    sourcePageId: page.pageId,
    pageId: targetPageId(translationId, page.pageId),
    sourceHash: sourceHashOf(page),
  }));
  await transaction.translatedPage.deleteMany({ where: { translationId } });
  await transaction.translatedPage.createMany({ data: rows });
}

/** Whether the source or the instructions have changed meanwhile, or another run was requested. */
async function isStale(
  transaction: Transaction,
  { id, autoUpdate, instructions }: TranslationModel,
  { revisionId }: Head,
): Promise<boolean> {
  const [now] = await transaction.$queryRaw<{ revisionId: string; instructions: string; isRequested: boolean }[]>(
    sql`select s."revisionId", t."instructions", t."dueAt" > t."startedAt" as "isRequested" from "Translation" t join "Space" s on s.id = t."sourceSpaceId" where t.id = ${id} for update of t`,
  );
  if (!now) return false;
  return now.isRequested || now.instructions !== instructions || (autoUpdate && now.revisionId !== revisionId);
}
