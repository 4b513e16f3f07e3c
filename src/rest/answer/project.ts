// The projector: turns the data of an execution into REST JSON, by closures that are made once for each route.
//
// It works in place: the executor made the objects for this one answer, so nothing is copied. A null that is to be left
// out becomes undefined, which JSON.stringify skips, and only the fields that may need it are looked at.
import type { Context } from "#src/domain/context.ts";
import { canBeEmpty, type FieldShape, type Shape } from "#src/rest/answer/shape.ts";
import type { FixedField } from "#src/rest/own-fields.ts";
import { type RestEntry, restReference, type RestTree } from "#src/rest/type-forms.ts";

type Data = Record<string, unknown>;

/** Changes a value in place or answers another for it; undefined leaves it out. */
type Projector = (value: unknown, context: Context) => unknown;

/** The projector of a shape, or null where its values are REST JSON as they are. */
export function projectorOf(shape: Shape): Projector | null {
  switch (shape.kind) {
    case "leaf":
    case "fixed":
      return null;
    case "wrapped": {
      const { name, shape: inner } = shape.field;
      const project = projectorOf(inner);
      return (value, context) => ({ [name]: project ? project(value, context) : value });
    }
    case "enum":
      return enumProjector(shape.values);
    case "list": {
      const project = listProjector(projectorOf(shape.of));
      return shape.tree ? treeProjector(project, shape.tree) : project;
    }
    case "map":
      return mapProjector(projectorOf(shape.of), shape.entry);
    case "reference":
      return referenceProjector(shape);
    case "object":
      return objectProjector(shape.fields.flatMap(fieldProjector), canBeEmpty(shape));
  }
}

function enumProjector(values: ReadonlyMap<string, string>): Projector | null {
  if ([...values].every(([name, value]) => name === value)) return null;
  return (value) => values.get(value as string); // an enumeration's value is one of its names
}

function listProjector(item: Projector | null): Projector | null {
  if (!item) return null;
  return (value, context) => {
    const items = value as unknown[]; // the shape says list
    for (let index = 0; index < items.length; index++) {
      const before = items[index];
      if (before !== null) items[index] = item(before, context) ?? before; // an item that has lost all its fields stays, empty
    }
    return items;
  };
}

/** Puts the items of a tree below one another, by their levels: each goes below the last one that is a level higher. */
function treeProjector(project: Projector | null, { level, below }: RestTree): Projector {
  return (value, context) => {
    const items = (project?.(value, context) ?? value) as Data[]; // the shape says list of objects, and the projector keeps it
    const top: Data[] = [];
    /** Where an item of each level is put, from that of the first item on. */
    const places = [top];
    const highest = Number(items[0]?.[level]);
    for (const item of items) {
      const depth = Number(item[level]) - highest;
      const pages: Data[] = [];
      places[depth]?.push(item);
      places[depth + 1] = pages;
      item[level] = undefined;
      item[below] = pages;
    }
    return top;
  };
}

function mapProjector(project: Projector | null, { key, value: name }: RestEntry): Projector {
  return (value, context) => {
    const entries = value as Data[]; // the shape says list of objects
    return Object.fromEntries(
      entries.map((entry) => [entry[key], project ? project(entry[name], context) : entry[name]]),
    );
  };
}

function referenceProjector({ to, of }: Extract<Shape, { kind: "reference" }>): Projector {
  const [toReference, toObject] = [projectorOf(to), projectorOf(of)];
  return (value, context) => {
    const reference = (value as Data)[restReference]; // the shape says object
    if (reference === undefined) return toObject ? toObject(value, context) : value;
    return toReference ? toReference(reference, context) : reference;
  };
}

type FieldProjector = (data: Data, context: Context) => void;

function fieldProjector({ name, shape, onNull, mayBeAbsent }: FieldShape): FieldProjector[] {
  if (shape.kind === "fixed") return [fixedProjector(name, shape.field)];
  const inner = projectorOf(shape);
  if (onNull === "never" && !mayBeAbsent)
    return inner ? [(data, context) => void (data[name] = inner(data[name], context))] : [];
  const instead = onNull === "keep" ? null : undefined;
  if (!inner) {
    if (instead === null) return [];
    return [
      (data) => {
        if (data[name] === null) data[name] = undefined;
      },
    ];
  }
  return [
    (data, context) => {
      const value = data[name];
      if (value !== undefined) data[name] = value === null ? instead : inner(value, context);
    },
  ];
}

function fixedProjector(name: string, { value, isHidden }: FixedField): FieldProjector {
  return (data, context) => {
    if (data[name] !== undefined) data[name] = isHidden?.(data, context) ? undefined : value;
  };
}

function objectProjector(fields: readonly FieldProjector[], mayBeEmpty: boolean): Projector | null {
  if (fields.length === 0) return null;
  return (value, context) => {
    const data = value as Data; // the shape says object
    for (const project of fields) project(data, context);
    return mayBeEmpty && isEmpty(data) ? undefined : data;
  };
}

function isEmpty(data: Data): boolean {
  for (const name in data) if (data[name] !== undefined) return false;
  return true;
}
