// Translates the content of a revision of the source page by page; segments in the memory are not sent to the engine.
import { ThreadPool } from "#src/runtime/threads.ts";
import {
  type Filled,
  type PageTask,
  type PageText,
  type Segment,
  segmentHash,
} from "#src/features/translations/model/segments.ts";
import { isPauseDue, pause } from "#src/runtime/yielding.ts";
import type { EngineRequest, GlossaryTerm, Engine } from "#src/base/translator.ts";
import { type Head, readHead } from "#src/features/content/commands/lock.ts";
import { readTree } from "#src/features/content/commands/write-content.ts";
import { asWritten } from "#src/features/content/model/computed.ts";
import { inTreeOrder, type PageTree } from "#src/features/content/model/page.ts";
import { readTexts } from "#src/features/content/reads/page-texts.ts";
import type { Translating, TranslationRun } from "#src/features/translations/commands/translation-run.ts";
import { recall, type Remembered } from "#src/features/translations/commands/memory.ts";
import {
  anchoredText,
  type Anchors,
  anchorsBetween,
  targetPageId,
  withTargetLinks,
} from "#src/features/translations/model/target-pages.ts";
import { codeOf } from "#src/features/translations/model/languages.ts";
import { Glossary } from "#src/features/translations/model/glossary.ts";
import { isWorded, problemOf } from "#src/features/translations/model/placeholders.ts";

const pool = new ThreadPool<PageTask, readonly Segment[] | Filled>(new URL("../model/segments.ts", import.meta.url), {
  threads: 1,
  megabytes: 768,
  needs: (tasks) => 64 + Math.max(0, ...tasks.map(({ page }) => page.markdown.length)) / 4_000,
});

/** The time limit in milliseconds: many times the duration for prose on a slow machine. */
const defaultTimeLimit = 30_000;

/** The segments of a page; null if that takes too much time or memory. */
export async function segmentPage(page: PageText, timeLimit = defaultTimeLimit): Promise<readonly Segment[] | null> {
  const { answers } = await pool.run([{ page }], timeLimit);
  return (answers[0] as readonly Segment[] | undefined) ?? null; // the result of such a task
}

/** The page with translations, as `fill` returns it; null if that takes too much time or memory. */
export async function fillPage(
  page: PageText,
  translations: readonly (string | null)[],
  timeLimit = defaultTimeLimit,
): Promise<Filled | null> {
  const { answers } = await pool.run([{ page, translations }], timeLimit);
  return (answers[0] as Filled | undefined) ?? null; // the result of such a task
}

export interface Warning {
  /** The title of the page in the source. */
  readonly page: string;
  readonly message: string;
}

export const warningLimit = 100;

export interface Translated {
  readonly source: Head;
  readonly tree: PageTree;
  /** By the ids of the pages of the source. */
  readonly pages: ReadonlyMap<string, PageText>;
  /** By the ids of reusable contents. */
  readonly reusable: ReadonlyMap<string, string>;
  readonly anchors: Anchors;
  readonly warnings: readonly Warning[];
}

/** Translates the current source. Throws the error of the engine, and the reason of the signal. */
export async function translateSource(at: Translating, run: TranslationRun): Promise<Translated> {
  const { prisma } = at.database;
  const { id, sourceSpaceId } = run.translation;
  const { revisionId } = await prisma.space.findUniqueOrThrow({ where: { id: sourceSpaceId } });
  const source = await readHead(prisma, revisionId);
  const tree = asWritten(await readTree(prisma, source.treeHash));
  const linked = { translationId: id, source: tree };
  const translator = new PageTranslator(at, run, await readGlossary(at, run));
  const textOf = async (hash: string | null) => withTargetLinks(hash === null ? "" : await readOne(at, hash), linked);
  const listed = inTreeOrder(tree.pages);
  const pages = new Map<string, PageText>();
  const anchors = new Map<string, ReadonlyMap<string, string>>();
  for (const { pageId, title, fields, documentHash } of listed) {
    await run.progress({ donePages: pages.size, allPages: listed.length });
    const { description } = fields;
    const text = { title, ...(description !== undefined && { description }), markdown: await textOf(documentHash) };
    const translated = await translator.translate(text, title);
    pages.set(pageId, translated);
    anchors.set(targetPageId(id, pageId), await anchorsBetween(text.markdown, translated.markdown));
  }
  for (const [pageId, { markdown, ...page }] of pages)
    pages.set(pageId, { ...page, markdown: anchoredText(markdown, anchors, targetPageId(id, pageId)) });
  const reusable = new Map<string, string>();
  for (const [reusableId, { title, documentHash }] of Object.entries(source.reusableContents)) {
    const { markdown } = await translator.translate({ title: "", markdown: await textOf(documentHash) }, title);
    reusable.set(reusableId, anchoredText(markdown, anchors, ""));
  }
  return { source, tree, pages, reusable, anchors, warnings: translator.warnings };
}

async function readOne({ database }: Translating, hash: string): Promise<string> {
  const [text] = await readTexts((statement) => database.query(statement), [hash]);
  return text ?? "";
}

/** The terms of the organization, with their translations into the language. */
async function readGlossary({ database }: Translating, { translation }: TranslationRun): Promise<GlossaryTerm[]> {
  const { organizationId, language } = translation;
  const terms = await database.prisma.glossaryTerm.findMany({ where: { organizationId }, orderBy: { term: "asc" } });
  return terms.map(({ term, translations }) => {
    const known = translations as Readonly<Record<string, string>>; // written by commands
    return { term, translation: known[language] ?? null };
  });
}

class PageTranslator {
  readonly warnings: Warning[] = [];
  readonly #at: Translating;
  readonly #run: TranslationRun;
  readonly #glossary: Glossary;
  readonly #request: Omit<EngineRequest, "context">;

  constructor(at: Translating, run: TranslationRun, glossary: readonly GlossaryTerm[]) {
    this.#at = at;
    this.#run = run;
    this.#glossary = new Glossary(glossary);
    const { sourceLanguage, language, instructions } = run.translation;
    this.#request = { from: codeOf(sourceLanguage), to: codeOf(language), instructions, glossary, signal: run.signal };
  }

  /** The translated page; segments that the engine fails to translate stay as they are, with a warning. */
  async translate(page: PageText, context: string): Promise<PageText> {
    this.#request.signal.throwIfAborted();
    const found = await segmentPage(page);
    if (!found) return this.#leave(page, context);
    const segments: { readonly text: string; readonly hash: string }[] = [];
    for (const { text } of found) {
      if (isPauseDue()) await pause();
      segments.push({ text, hash: this.#hashOf(text) });
    }
    const hashes = segments.map(({ hash }) => hash);
    const known = await recall(this.#at, this.#run.translation.organizationId, hashes);
    const missing = new Map(segments.flatMap(({ hash, text }) => (known.has(hash) ? [] : [[hash, text] as const])));
    for (const [hash, text] of await this.#ask(missing, context)) known.set(hash, text);
    const translations = hashes.map((hash) => known.get(hash) ?? null);
    const filled = await fillPage(page, translations);
    if (!filled) return this.#leave(page, context);
    const failed = new Set(filled.failed.map(({ index }) => index));
    for (const [index, { hash, text }] of segments.entries())
      if (failed.has(index) || known.get(hash) === null) this.#warn(context, text);
    return filled.page;
  }

  /** Keeps a page unchanged if it takes too long. */
  #leave(page: PageText, context: string): PageText {
    this.#warn(context, page.markdown);
    return page;
  }

  /** Sends texts to the engine and stores the results: null for unusable ones. */
  async #ask(missing: ReadonlyMap<string, string>, context: string): Promise<Remembered> {
    if (missing.size === 0) return new Map();
    const { engine } = this.#at.translator;
    const texts = [...missing.values()];
    const words = texts.reduce((sum, text) => sum + countWords(text, this.#request.from), 0);
    await this.#run.reserve(words);
    const answers = await translateSegments(engine, texts, { ...this.#request, context });
    const made = new Map(
      [...missing.keys()].map((hash, index) => {
        const answer = answers[index];
        return [hash, answer && "text" in answer ? answer.text : null] as const;
      }),
    );
    await this.#run.keep(made, words);
    return made;
  }

  /** Depends only on the terms of the glossary that are in the text. */
  #hashOf(text: string): string {
    const { from, to, instructions } = this.#request;
    const terms = this.#glossary.termsIn(text);
    return segmentHash({ text, from, to, instructions, terms, engine: this.#at.translator.engine.name });
  }

  #warn(page: string, text: string): void {
    if (this.warnings.length >= warningLimit) return;
    const start = text.length > 100 ? `${text.slice(0, 100)}…` : text;
    this.warnings.push({ page, message: `Not translated: ${start}` });
  }
}

/** The number of words in a text, without placeholders. */
function countWords(text: string, language: string): number {
  const plain = text.replaceAll(/<[^>]*>/g, " ");
  let words = 0;
  for (const { isWordLike } of new Intl.Segmenter(language, { granularity: "word" }).segment(plain))
    if (isWordLike) words++;
  return words;
}

/** A translation with its placeholders, or the reason why it failed. */
type SegmentAnswer = { readonly text: string } | { readonly problem: string };

/** The limit of attempts for a segment with an unusable result. */
const mostTries = 2;

/** Translates the texts of segments in order; unusable results leave them unchanged. Throws errors of the engine. */
export async function translateSegments(
  engine: Engine,
  texts: readonly string[],
  request: EngineRequest,
): Promise<readonly SegmentAnswer[]> {
  const glossary = new Glossary(request.glossary);
  const prepared = texts.map((text) => glossary.prepare(text));
  // Texts that consist of terms do not need the engine.
  const answers = prepared.map(({ text, restore }, index): SegmentAnswer | null =>
    isWorded(text) ? null : checked(texts[index] ?? "", restore(text)),
  );
  for (let tries = 1; tries <= mostTries; tries++) {
    const open = prepared.flatMap(({ text, restore }, index) => {
      const answer = answers[index];
      return answer && "text" in answer ? [] : [{ text, restore, index }];
    });
    if (open.length === 0) break;
    const sent = await engine.translate(
      open.map(({ text }) => text),
      request,
    );
    for (const [at, { restore, index }] of open.entries()) {
      const answer = sent[at] ?? null;
      answers[index] =
        answer === null ? { problem: "the engine did not return it" } : checked(texts[index] ?? "", restore(answer));
    }
  }
  return answers.map((answer) => answer ?? { problem: "the engine did not return it" });
}

function checked(source: string, answer: string | null): SegmentAnswer {
  if (answer === null) return { problem: "a term of the glossary is missing or repeated" };
  const problem = problemOf(source, answer);
  return problem === null ? { text: answer } : { problem };
}
