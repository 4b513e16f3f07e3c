// Writing: rows become JSON, value by value from the bytes that PostgreSQL sent, in the order of the selection.
import type { Context } from "#src/domain/context.ts";
import { type Batch, RowBatch } from "#src/plan/batch.ts";
import type { Form } from "#src/plan/response-shape.ts";
import type { Row } from "#src/plan/read-declaration.ts";
import { Code, type Leaf } from "#src/plan/scalar-writer.ts";
import { ItemCounts, type Loaded, type Target } from "#src/plan/child-rows.ts";
import type { Out } from "#src/plan/byte-writer.ts";
import type { Run } from "#src/plan/run.ts";
import { type Bound, type Child, type Part, PartKind, type Selection } from "#src/plan/selection.ts";
import { isPauseDue, pause } from "#src/runtime/yielding.ts";
import { TooLongError, Unfit } from "#src/plan/unsupported.ts";

/** What became of a value: `empty` is an object without any property, which the form leaves out. */
const Wrote = { null: 0, empty: 1, value: 2 } as const;
type Wrote = (typeof Wrote)[keyof typeof Wrote];

/** How much is written, in values, until it is looked at the clock. */
const lookEvery = 4_096;

const comma = 0x2c;
const nullBytes = Buffer.from("null");
const trueBytes = Buffer.from("true");
const falseBytes = Buffer.from("false");

/**
 * Writes what a run has read. Every property and every item is written with a comma before it; the first one's is
 * overwritten by the bracket.
 */
export class Writer {
  readonly #run: Run;
  readonly #form: Form;
  readonly out: Out;
  readonly budget: Context["reader"]["budget"];
  readonly items: ItemCounts;
  readonly #limit: Context["limit"];
  /** Values that were written since it was looked at the clock. */
  #written = 0;
  /** When what it writes was begun, or gone on with after a pause, by `performance.now()`. */
  begun = performance.now();
  /** Whether it ends with {@link TooLongError} when it takes long. */
  mayStop = false;

  constructor(run: Run, form: Form, out: Out) {
    this.#run = run;
    this.#form = form;
    this.out = out;
    this.budget = run.context.reader.budget;
    this.items = new ItemCounts(this.budget);
    this.#limit = run.context.limit;
  }

  /** As {@link object}, with pauses. */
  async objectInTurns(selection: Selection, batch: Batch, row: number): Promise<boolean> {
    if (!selection.hasLists) return this.object(selection, batch, row);
    const out = this.out;
    const start = out.at;
    for (const part of selection.parts) {
      const before = out.at;
      out.literal(part.before);
      if (part.kind === PartKind.literal) continue;
      if (isPauseDue()) await this.#pause();
      this.#end(part, before, await this.#valueInTurns(part, batch, row));
    }
    return this.#close(start);
  }

  async #valueInTurns(part: Part, batch: Batch, row: number): Promise<Wrote> {
    const { child, selection } = part;
    if (part.kind === PartKind.many && child && !child.tree && !child.entry) return this.#listInTurns(child, row);
    if (part.kind === PartKind.same && selection && !part.isHidden?.(batch.object(row) as Row, this.#run.context))
      return this.#nestedInTurns(selection, batch, row);
    if (part.kind === PartKind.one && child) return this.#itemInTurns(this.#run.loaded(child), row);
    return this.#value(part, batch, row);
  }

  #nestedInTurns(selection: Selection, batch: Batch, row: number): Promise<Wrote> | Wrote {
    if (selection.reference || !selection.hasLists) return this.#nested(selection, batch, row);
    return this.objectInTurns(selection, batch, row).then((isFull) => this.#wroteObject(isFull));
  }

  #itemInTurns(loaded: Loaded, index: number): Promise<Wrote> | Wrote {
    const { at, which, targets } = loaded;
    const row = at ? (at[index] as number) : index;
    const target = targets[which ? (which[index] as number) : 0];
    return row >= 0 && target ? this.#nestedInTurns(target.selection, target.batch, row) : this.#item(loaded, index);
  }

  async #listInTurns(child: Child, row: number): Promise<Wrote> {
    const out = this.out;
    const loaded = this.#run.loaded(child);
    const first = loaded.first?.[row] ?? -1;
    const last = loaded.last?.[row] ?? -1;
    if (first < 0) return Wrote.null;
    this.items.take(child, loaded, row);
    const start = out.at;
    for (let index = first; index < last; index++) {
      if (isPauseDue()) await this.#pause();
      out.byte(comma);
      const wrote = this.#itemInTurns(loaded, index);
      this.#endItem(child, wrote instanceof Promise ? await wrote : wrote);
    }
    return this.#closeList(start);
  }

  /** Nobody may wait for the answer any more when it goes on. */
  async #pause(): Promise<void> {
    this.budget.takeTime(performance.now() - this.begun);
    await pause();
    this.begun = performance.now();
    this.#limit.check();
  }

  /** Writes a row as an object. Answers false where that is empty. */
  object(selection: Selection, batch: Batch, row: number): boolean {
    const out = this.out;
    const start = out.at;
    this.#properties(selection, batch, row);
    return this.#close(start);
  }

  /** Ends an object that began there. Answers false where it is empty. */
  #close(start: number): boolean {
    const out = this.out;
    const isEmpty = out.at === start;
    if (isEmpty) out.byte(comma);
    out.buffer[start] = 0x7b;
    out.byte(0x7d);
    return !isEmpty;
  }

  #properties(selection: Selection, batch: Batch, row: number, but: Part | null = null): void {
    const out = this.out;
    const { parts } = selection;
    const bound = batch instanceof RowBatch ? selection.bind(batch.rows) : null;
    if ((this.#written += parts.length) > lookEvery) this.#look();
    for (let index = 0; index < parts.length; index++) {
      const part = parts[index] as Part; // within its length
      if (part === but) continue;
      const start = out.at;
      out.literal(part.before);
      if (part.kind === PartKind.literal) continue;
      const wrote =
        part.kind === PartKind.column && bound
          ? this.#column(part.leaf as Leaf, bound[index] as Bound, batch as RowBatch, row)
          : this.#value(part, batch, row);
      if (wrote !== Wrote.value) this.#end(part, start, wrote);
    }
  }

  /** Ends a property that began there, by what became of its value. */
  #end(part: Part, start: number, wrote: Wrote): void {
    if (wrote === Wrote.value) return;
    if (wrote === Wrote.empty || part.omitsNull) this.out.at = start;
    else if (part.isNullable) this.out.write(nullBytes);
    else throw new Unfit("null");
  }

  /** Throws {@link TooLongError} where it may stop and others are to go first. */
  #look(): void {
    this.#written = 0;
    if (this.mayStop && isPauseDue()) throw new TooLongError("Writing takes long");
  }

  #value(part: Part, batch: Batch, row: number): Wrote {
    switch (part.kind) {
      case PartKind.column:
        return this.#leaf(part.leaf as Leaf, batch.get(row, part.column));
      case PartKind.leaf:
        return this.#leaf(part.leaf as Leaf, this.#loadedOf(part).values?.[row]);
      case PartKind.cursor:
        return this.#leaf(part.leaf as Leaf, batch.cursorOf?.(row));
      case PartKind.same:
        if (part.isHidden?.(batch.object(row) as Row, this.#run.context)) return Wrote.null;
        return this.#nested(part.selection as Selection, batch, row);
      case PartKind.one:
        return this.#item(this.#loadedOf(part), row);
      default:
        return this.#list(part.child as Child, this.#loadedOf(part), row);
    }
  }

  #loadedOf({ child }: Part): Loaded {
    return this.#run.loaded(child as Child); // parts of these kinds have one
  }

  #leaf(leaf: Leaf, value: unknown): Wrote {
    if (value === null || value === undefined) return Wrote.null;
    this.out.json(leaf.text(value));
    return Wrote.value;
  }

  #nested(selection: Selection, batch: Batch, row: number): Wrote {
    if (selection.reference) return this.#value(selection.reference, batch, row);
    return this.#wroteObject(this.object(selection, batch, row));
  }

  #wroteObject(isFull: boolean): Wrote {
    return isFull || !this.#form.omitsEmpty ? Wrote.value : Wrote.empty;
  }

  /** The object that belongs to a row of the parent, or to an item of a list. */
  #item(loaded: Loaded, index: number): Wrote {
    const { at, which, targets } = loaded;
    const row = at ? (at[index] as number) : index;
    if (row < 0) return Wrote.null;
    const target = targets[which ? (which[index] as number) : 0];
    if (!target) throw new Unfit("an object of no type");
    return this.#nested(target.selection, target.batch, row);
  }

  /** Writes a part of a row alone. Answers false where it is null. */
  part(part: Part, batch: Batch, row: number): boolean {
    return this.#value(part, batch, row) !== Wrote.null;
  }

  /** Where the object of a part is, such as one of a row; null where there is none. */
  placeOf({ kind, selection, isHidden, child }: Part, batch: Batch, row: number): (Target & { row: number }) | null {
    if (selection && !isHidden?.(batch.object(row) as Row, this.#run.context)) return { selection, batch, row };
    if (kind !== PartKind.one || !child) throw new Unfit("no object");
    const { at, which, targets } = this.#run.loaded(child);
    const target = targets[which?.[row] ?? 0];
    const found = at ? (at[row] ?? -1) : row;
    return target && found >= 0 ? { ...target, row: found } : null;
  }

  /** The value of a leaf. */
  leafValue({ kind, column, child }: Part, batch: Batch, row: number): unknown {
    return kind === PartKind.column ? batch.get(row, column) : child && this.#run.loaded(child).values?.[row];
  }

  #list(child: Child, loaded: Loaded, row: number): Wrote {
    const out = this.out;
    const first = loaded.first?.[row] ?? -1;
    const last = loaded.last?.[row] ?? -1;
    if (first < 0) return Wrote.null;
    this.items.take(child, loaded, row);
    if (child.tree) return this.#tree(child, loaded, first, last);
    if (child.entry) return this.#entries(child, loaded, first, last);
    const start = out.at;
    for (let index = first; index < last; index++) {
      out.byte(comma);
      this.#endItem(child, this.#item(loaded, index));
    }
    return this.#closeList(start);
  }

  #closeList(start: number): Wrote {
    const out = this.out;
    if (out.at === start) out.byte(comma);
    out.buffer[start] = 0x5b;
    out.byte(0x5d);
    return Wrote.value;
  }

  /** An item stays, though it be empty. */
  #endItem(child: Child, wrote: Wrote): void {
    if (wrote !== Wrote.null) return;
    if (!child.hasNullItems) throw new Unfit("null in a list");
    this.out.write(nullBytes);
  }

  /** Items of a tree, each before those below it, whose level is one higher: they are put into it. */
  #tree(child: Child, loaded: Loaded, first: number, last: number): Wrote {
    const out = this.out;
    const { selection, batch } = loaded.targets[0] as Target; // items of a tree have one type
    const level = selection.part(child.tree?.level ?? "") as Part; // selected, by the shape of the route
    if (level.before.length !== `,${JSON.stringify(level.name)}:`.length) throw new Unfit("literals before the level");
    const below = `,${JSON.stringify(child.tree?.below)}:`;
    let [open, isFirst] = [0, true];
    out.byte(0x5b);
    const top = first < last ? Number(this.leafValue(level, batch, rowAt(loaded, first))) : 0;
    for (let index = first; index < last; index++) {
      const row = rowAt(loaded, index);
      const depth = Number(this.leafValue(level, batch, row)) - top;
      if (depth < 0 || depth > open) throw new Unfit("a tree with a gap");
      for (; open > depth; open--, isFirst = false) out.json("]}");
      if (!isFirst) out.byte(comma);
      const start = out.at;
      this.#properties(selection, batch, row, level);
      out.json(`${below}[`);
      out.buffer[start] = 0x7b;
      open++;
      isFirst = true;
    }
    out.json(`${"]}".repeat(open)}]`);
    return Wrote.value;
  }

  /** Entries, as one object: where a name comes twice, as a JavaScript object keeps it. */
  #entries(child: Child, loaded: Loaded, first: number, last: number): Wrote {
    const out = this.out;
    const { selection, batch } = loaded.targets[0] as Target; // entries have one type
    const key = selection.part(child.entry?.key ?? "") as Part; // both selected, by the shape of the route
    const value = selection.part(child.entry?.value ?? "") as Part;
    const names = Object.create(null) as Record<string, number>;
    for (let index = first; index < last; index++) {
      const row = rowAt(loaded, index);
      names[String(this.leafValue(key, batch, row))] = row;
    }
    const start = out.at;
    for (const [name, row] of Object.entries(names)) {
      const before = out.at;
      out.json(`,${JSON.stringify(name)}:`);
      const wrote = this.#value(value, batch, row);
      if (wrote === Wrote.null) out.write(nullBytes);
      else if (wrote === Wrote.empty) out.at = before;
    }
    if (out.at === start) out.byte(comma);
    out.buffer[start] = 0x7b;
    out.byte(0x7d);
    return Wrote.value;
  }

  #column(leaf: Leaf, { place, code }: Bound, { rows }: RowBatch, row: number): Wrote {
    const { out } = this;
    const { bytes, view } = rows;
    const at = row * rows.width + place;
    const length = rows.lengths[at] as number; // within the rows
    if (length < 0) return Wrote.null;
    const start = rows.starts[at] as number;
    switch (code) {
      case Code.text:
        this.#written += length >> 6;
        out.text(bytes, view, start, start + length);
        return Wrote.value;
      case Code.instant:
        if (out.instant(view, start)) return Wrote.value;
        break;
      case Code.integer:
        out.integer(view.getInt32(start));
        return Wrote.value;
      case Code.boolean:
        out.write(bytes[start] === 1 ? trueBytes : falseBytes);
        return Wrote.value;
      case Code.name: {
        const name = leaf.nameAt?.(bytes, start, length);
        if (name) {
          out.write(name);
          return Wrote.value;
        }
      }
    }
    return this.#leaf(leaf, rows.value(row, place));
  }
}

function rowAt({ at }: Loaded, index: number): number {
  return at ? (at[index] ?? -1) : index;
}
