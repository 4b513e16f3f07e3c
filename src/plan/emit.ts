// Writes rows as JSON, value by value from the bytes that PostgreSQL sent, in the order of the selection.
import type { Context } from "#src/domain/context.ts";
import { type Batch, RowBatch } from "#src/plan/batch.ts";
import type { ResponseShape } from "#src/plan/response-shape.ts";
import type { Row } from "#src/plan/read-declaration.ts";
import { Code, type ScalarWriter } from "#src/plan/scalar-writer.ts";
import {
  type Bound,
  type Child,
  type ChildRows,
  ItemCounts,
  type Part,
  PartKind,
  rowAt,
  type Selection,
  type Target,
} from "#src/plan/selection.ts";
import { type ByteWriter, TooLongError, Unsupported } from "#src/plan/byte-writer.ts";
import type { Run } from "#src/plan/run.ts";
import { isPauseDue, pause } from "#src/runtime/yielding.ts";

/** The outcome of writing a value; `empty` is an object without properties, which the shape may omit. */
const Wrote = { null: 0, empty: 1, value: 2 } as const;
type Wrote = (typeof Wrote)[keyof typeof Wrote];

/** Values written between two checks of the deadline; a long text counts as one for each 64 bytes. */
const valuesPerTimeCheck = 4_096;
/** Writing begins again with pauses after so many milliseconds; these cost as much again. */
const longMs = 8;

const comma = 0x2c;
const nullBytes = Buffer.from("null");
const trueBytes = Buffer.from("true");
const falseBytes = Buffer.from("false");

/** Writes the rows of a run. Each property and item has a leading comma; the bracket overwrites the first one. */
export class Writer {
  readonly #run: Run;
  readonly #shape: ResponseShape;
  readonly out: ByteWriter;
  readonly budget: Context["reader"]["budget"];
  readonly items: ItemCounts;
  /** Values written since the last check of the clock. */
  #written = 0;
  /** When writing started or resumed, by `performance.now()`. */
  begun = performance.now();
  pause = pause; // between its parts
  /** Whether it throws {@link TooLongError} when it takes long. */
  mayStop = false;

  constructor(run: Run, shape: ResponseShape, out: ByteWriter) {
    this.#run = run;
    this.#shape = shape;
    this.out = out;
    this.budget = run.context.reader.budget;
    this.items = new ItemCounts(this.budget);
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
    if (part.kind === PartKind.one && child) return this.#itemInTurns(this.#run.rowsOf(child), row);
    return this.#value(part, batch, row);
  }

  #nestedInTurns(selection: Selection, batch: Batch, row: number): Promise<Wrote> | Wrote {
    if (selection.reference || !selection.hasLists) return this.#nested(selection, batch, row);
    return this.objectInTurns(selection, batch, row).then((isFull) => this.#wroteObject(isFull));
  }

  #itemInTurns(rows: ChildRows, index: number): Promise<Wrote> | Wrote {
    const { at, which, targets } = rows;
    const row = at ? (at[index] as number) : index;
    const target = targets[which ? (which[index] as number) : 0];
    return row >= 0 && target ? this.#nestedInTurns(target.selection, target.batch, row) : this.#item(rows, index);
  }

  async #listInTurns(child: Child, row: number): Promise<Wrote> {
    const out = this.out;
    const rows = this.#run.rowsOf(child);
    const first = rows.first?.[row] ?? -1;
    const last = rows.last?.[row] ?? -1;
    if (first < 0) return Wrote.null;
    this.items.take(child, rows, row);
    const start = out.at;
    for (let index = first; index < last; index++) {
      if (isPauseDue()) await this.#pause();
      out.byte(comma);
      const wrote = this.#itemInTurns(rows, index);
      this.#endItem(child, wrote instanceof Promise ? await wrote : wrote);
    }
    return this.#closeList(start);
  }

  /** Throws if the operation ended meanwhile. */
  async #pause(): Promise<void> {
    this.budget.takeTime(performance.now() - this.begun);
    await this.pause();
    this.begun = performance.now();
    this.#run.context.limit.check();
  }

  /** Writes a row as an object. Returns false if it is empty. */
  object(selection: Selection, batch: Batch, row: number): boolean {
    const out = this.out;
    const start = out.at;
    this.#properties(selection, batch, row);
    return this.#close(start);
  }

  /** Closes the object that began at `start`. Returns false if it is empty. */
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
    if ((this.#written += parts.length) > valuesPerTimeCheck) this.#checkTime();
    for (let index = 0; index < parts.length; index++) {
      const part = parts[index] as Part; // within its length
      if (part === but) continue;
      const start = out.at;
      out.literal(part.before);
      if (part.kind === PartKind.literal) continue;
      const wrote =
        part.kind === PartKind.column && bound
          ? this.#column(part.scalar as ScalarWriter, bound[index] as Bound, batch as RowBatch, row)
          : this.#value(part, batch, row);
      if (wrote !== Wrote.value) this.#end(part, start, wrote);
    }
  }

  #end(part: Part, start: number, wrote: Wrote): void {
    if (wrote === Wrote.value || (wrote === Wrote.empty && !this.#shape.omitsEmpty(part.name))) return;
    if (wrote === Wrote.empty || part.omitsNull) this.out.at = start;
    else if (part.isNullable) this.out.write(nullBytes);
    else throw new Unsupported("null");
  }

  /** Throws {@link TooLongError} if it may stop, takes long, and other work is due. */
  #checkTime(): void {
    this.#written = 0;
    if (this.mayStop && isPauseDue() && performance.now() - this.begun > longMs) throw new TooLongError();
  }

  #value(part: Part, batch: Batch, row: number): Wrote {
    switch (part.kind) {
      case PartKind.column:
        return this.#scalar(part.scalar as ScalarWriter, batch.get(row, part.column));
      case PartKind.scalar:
        return this.#scalar(part.scalar as ScalarWriter, this.#rowsOf(part).values?.[row]);
      case PartKind.cursor:
        return this.#scalar(part.scalar as ScalarWriter, batch.cursorOf?.(row));
      case PartKind.same:
        if (part.isHidden?.(batch.object(row) as Row, this.#run.context)) return Wrote.null;
        return this.#nested(part.selection as Selection, batch, row);
      case PartKind.one:
        return this.#item(this.#rowsOf(part), row);
      default:
        return this.#list(part.child as Child, this.#rowsOf(part), row);
    }
  }

  #rowsOf({ child }: Part): ChildRows {
    return this.#run.rowsOf(child as Child); // parts of these kinds have a child
  }

  #scalar(scalar: ScalarWriter, value: unknown): Wrote {
    if (value === null || value === undefined) return Wrote.null;
    const text = scalar.text(value);
    this.out.json(text);
    this.#written += text.length >> 6;
    return Wrote.value;
  }

  #nested(selection: Selection, batch: Batch, row: number): Wrote {
    if (selection.reference) return this.#value(selection.reference, batch, row);
    return this.#wroteObject(this.object(selection, batch, row));
  }

  #wroteObject(isFull: boolean): Wrote {
    return isFull ? Wrote.value : Wrote.empty;
  }

  /** The object of a parent row or of a list item. */
  #item(rows: ChildRows, index: number): Wrote {
    const { at, which, targets } = rows;
    const row = at ? (at[index] as number) : index;
    if (row < 0) return Wrote.null;
    const target = targets[which ? (which[index] as number) : 0];
    if (!target) throw new Unsupported("an object of no type");
    return this.#nested(target.selection, target.batch, row);
  }

  /** Writes one part of a row. Returns false if it is null. */
  part(part: Part, batch: Batch, row: number): boolean {
    return this.#value(part, batch, row) !== Wrote.null;
  }

  /** The index of the object of a part, such as one of a row; null without one. */
  placeOf({ kind, selection, isHidden, child }: Part, batch: Batch, row: number): (Target & { row: number }) | null {
    if (selection && !isHidden?.(batch.object(row) as Row, this.#run.context)) return { selection, batch, row };
    if (kind !== PartKind.one || !child) throw new Unsupported("no object");
    const { at, which, targets } = this.#run.rowsOf(child);
    const target = targets[which?.[row] ?? 0];
    const found = at ? (at[row] ?? -1) : row;
    return target && found >= 0 ? { ...target, row: found } : null;
  }

  scalarValue({ kind, column, child }: Part, batch: Batch, row: number): unknown {
    return kind === PartKind.column ? batch.get(row, column) : child && this.#run.rowsOf(child).values?.[row];
  }

  #list(child: Child, rows: ChildRows, row: number): Wrote {
    const out = this.out;
    const first = rows.first?.[row] ?? -1;
    const last = rows.last?.[row] ?? -1;
    if (first < 0) return Wrote.null;
    this.items.take(child, rows, row);
    if (child.tree) return this.#tree(child, rows, first, last);
    if (child.entry) return this.#entries(child, rows, first, last);
    const start = out.at;
    for (let index = first; index < last; index++) {
      out.byte(comma);
      this.#endItem(child, this.#item(rows, index));
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

  /** An empty item is kept. */
  #endItem(child: Child, wrote: Wrote): void {
    if (wrote !== Wrote.null) return;
    if (!child.hasNullItems) throw new Unsupported("null in a list");
    this.out.write(nullBytes);
  }

  /** Items of a tree in depth-first order: each is nested below the last one of a lower level. */
  #tree(child: Child, rows: ChildRows, first: number, last: number): Wrote {
    const out = this.out;
    const { selection, batch } = rows.targets[0] as Target; // items of a tree have one type
    const level = selection.part(child.tree?.level ?? "") as Part; // selected, by the shape of the route
    if (level.before.length !== `,${JSON.stringify(level.name)}:`.length)
      throw new Unsupported("literals before the level");
    const below = `,${JSON.stringify(child.tree?.below)}:`;
    let [open, isFirst] = [0, true];
    out.byte(0x5b);
    const top = first < last ? Number(this.scalarValue(level, batch, rowAt(rows, first))) : 0;
    for (let index = first; index < last; index++) {
      const row = rowAt(rows, index);
      const depth = Number(this.scalarValue(level, batch, row)) - top;
      if (depth < 0 || depth > open) throw new Unsupported("a tree with a gap");
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

  /** Entries as one object; a repeated name keeps its first position and last value, as in JavaScript. */
  #entries(child: Child, rows: ChildRows, first: number, last: number): Wrote {
    const out = this.out;
    const { selection, batch } = rows.targets[0] as Target; // entries have one type
    const key = selection.part(child.entry?.key ?? "") as Part; // both selected, by the shape of the route
    const value = selection.part(child.entry?.value ?? "") as Part;
    const names = Object.create(null) as Record<string, number>;
    for (let index = first; index < last; index++) {
      const row = rowAt(rows, index);
      names[String(this.scalarValue(key, batch, row))] = row;
    }
    const start = out.at;
    for (const [name, row] of Object.entries(names)) {
      const before = out.at;
      out.json(`,${JSON.stringify(name)}:`);
      const wrote = this.#value(value, batch, row);
      if (wrote === Wrote.null) out.write(nullBytes);
      else if (wrote === Wrote.empty) out.at = before;
    }
    this.#close(start);
    return Wrote.value;
  }

  #column(scalar: ScalarWriter, { place, code }: Bound, { rows }: RowBatch, row: number): Wrote {
    const { bytes, view } = rows;
    const at = row * rows.width + place;
    const length = rows.lengths[at] as number; // within the rows
    if (length < 0) return Wrote.null;
    const start = rows.starts[at] as number;
    switch (code) {
      case Code.text:
        this.#written += length >> 6;
        this.out.text(bytes, view, start, start + length);
        return Wrote.value;
      case Code.instant:
        if (this.out.instant(view, start)) return Wrote.value;
        break;
      case Code.integer:
        this.out.integer(view.getInt32(start));
        return Wrote.value;
      case Code.boolean:
        this.out.write(bytes[start] === 1 ? trueBytes : falseBytes);
        return Wrote.value;
      case Code.name: {
        const name = scalar.nameAt?.(bytes, start, length);
        if (name) {
          this.out.write(name);
          return Wrote.value;
        }
      }
    }
    return this.#scalar(scalar, rows.value(row, place));
  }
}
