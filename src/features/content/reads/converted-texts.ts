// Texts in another form, such as rich documents: converted in threads, one batch per operation, and cached by hash.
import { hash } from "node:crypto";
import DataLoader from "dataloader";
import { DomainError } from "#src/base/errors.ts";
import { type Conversion, convert } from "#src/documents/convert.ts";
import type { Context } from "#src/domain/context.ts";
import { cacheOf } from "#src/runtime/cache-budget.ts";
import { isPauseDue, pause } from "#src/runtime/yielding.ts";

/** Maximum number of characters that an operation converts at a time: some seconds of a thread. */
const textLimit = 2_000_000;

/** Number of attempts for the texts after an adversarial one: each such text takes seconds, once. */
const rounds = 4;

/** A converted text, shared and immutable, and its length as JSON, to be counted when it is returned. */
export interface Converted<Form> {
  readonly form: Form;
  readonly size: number;
}

interface Text {
  readonly hash: string;
  readonly markdown: string;
}

interface FormOfTexts<Form> {
  /** The name of the cache, and of the forms in errors. */
  readonly name: string;
  readonly megabytes: number;
  /** The memory of a form, as a multiple of the length of its JSON. */
  readonly weight: number;
  readonly conversionOf: (markdown: string) => Conversion;
  /** Keeps the JSON of a form, too. */
  readonly keep?: (form: Form, json: string) => void;
  /** The form of a text that is too deep or too complex to convert. */
  readonly otherwise: (markdown: string) => Form;
}

type Outcome<Form> = Converted<Form> | Error;

/** All texts in one form. */
export class ConvertedTexts<Form> {
  readonly #of: FormOfTexts<Form>;
  /** By the hashes of their texts. */
  readonly #remembered;
  /** Conversions that run, by hash: a text that many read at once is converted once. */
  readonly #running = new Map<string, Promise<Outcome<Form> | undefined>>();

  constructor(of: FormOfTexts<Form>) {
    this.#of = of;
    this.#remembered = cacheOf<string, Converted<Form>>(of.name, of.megabytes, ({ size }) => of.weight * size);
  }

  /** The form of the text with this hash, if it was converted before. */
  remembered(textHash: string): Converted<Form> | undefined {
    return this.#remembered.get(textHash);
  }

  /** Hashes each text only once per operation. INVALID_INPUT if the operation converts too much text. */
  convert({ reader }: Context, markdown: string): Promise<Converted<Form>> {
    return reader.once(this, markdown, () => {
      const key = hash("sha256", markdown, "base64url");
      const known = this.#remembered.get(key);
      if (known) return Promise.resolve(known);
      const makeLoader = () =>
        new DataLoader((texts: readonly Text[]) => this.#convertAll(texts), { cacheKeyFn: (text: Text) => text.hash });
      return reader.once(this.#of, "", makeLoader).load({ hash: key, markdown });
    });
  }

  async #convertAll(texts: readonly Text[]): Promise<Outcome<Form>[]> {
    const others = new Map(texts.map((text) => [text, this.#running.get(text.hash)] as const));
    const own = texts.filter((text) => !others.get(text));
    const converting = this.#convertNew(own);
    for (const [index, { hash: key }] of own.entries()) {
      const one = converting.then((outcomes) => outcomes[index]).catch(() => undefined);
      this.#running.set(key, one);
      void one.then(() => this.#running.delete(key));
    }
    const outcomes = new Map((await converting).map((outcome, index) => [own[index], outcome]));
    const outcomeOf = async (text: Text): Promise<Outcome<Form>> => {
      const outcome = outcomes.get(text) ?? (await others.get(text));
      if (outcome && (!others.get(text) || !(outcome instanceof Error))) return outcome;
      // The other operation was refused, which says nothing about this one.
      const [again] = await this.#convertNew([text]);
      return again ?? new DomainError("INTERNAL");
    };
    return Promise.all(texts.map(outcomeOf));
  }

  async #convertNew(texts: readonly Text[]): Promise<Outcome<Form>[]> {
    if (texts.length === 0) return [];
    const { name, conversionOf, otherwise, keep } = this.#of;
    if (texts.reduce((sum, { markdown }) => sum + markdown.length, 0) > textLimit) {
      const message = `The operation requests more than ${textLimit} characters of text as ${name} at a time. Request fewer ${name}.`;
      return texts.map(() => new DomainError("INVALID_INPUT", message));
    }
    const done: Converted<Form>[] = [];
    for (let round = 0; round < rounds && done.length < texts.length; round++) {
      const left = texts.slice(done.length);
      const converted = await convert(left.map(({ markdown }) => conversionOf(markdown)));
      for (const [index, text] of left.entries()) {
        const one = converted[index];
        if (one === undefined) break;
        if (isPauseDue()) await pause();
        const form = typeof one === "string" ? (JSON.parse(one) as Form) : otherwise(text.markdown);
        if (typeof one === "string") keep?.(form, one);
        const sized = { form, size: (typeof one === "string" ? one : text.markdown).length };
        this.#remembered.keep(text.hash, sized);
        done.push(sized);
      }
    }
    const message = `Converting other texts used up the time for ${name}. Request fewer ${name}.`;
    return texts.map((_, index) => done[index] ?? new DomainError("INVALID_INPUT", message));
  }
}
