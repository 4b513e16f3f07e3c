// Random arguments of fields, written as literals and as variables.
import {
  getNullableType,
  type GraphQLArgument,
  type GraphQLCompositeType,
  type GraphQLInputType,
  type GraphQLObjectType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from "graphql";
import { coordinateOf, type Step } from "#test/support/schema-paths.ts";
import type { ChoiceSequence } from "#test/support/choice-sequence.ts";

/** The selected field. */
interface Wanted {
  /** `Space.comments`. */
  readonly field: string;
  readonly argument: GraphQLArgument;
  /** The object types that the field can return, those first that the document selects. */
  readonly answers: readonly GraphQLObjectType[];
}

/** Values to choose from, as in JSON; the first is the most likely. Lists are given by their items. */
export type ValuesFor = (wanted: Wanted) => readonly unknown[];

const ofLists = ["first", "last", "after", "before"];

/** Writes arguments, and collects their variables. */
export class ArgumentWriter {
  readonly #choices: ChoiceSequence;
  readonly #valuesFor: ValuesFor;
  readonly #known = new Map<string, string>();
  readonly declarations: string[] = [];
  readonly values: Record<string, unknown> = {};

  constructor(choices: ChoiceSequence, valuesFor: ValuesFor) {
    this.#choices = choices;
    this.#valuesFor = valuesFor;
  }

  /** The arguments of a field in parentheses; empty without arguments. */
  write(step: Step, answers: readonly GraphQLObjectType[], leadsOn: GraphQLCompositeType | undefined): string {
    const wanted = answers.toSorted((one, other) => Number(other === leadsOn) - Number(one === leadsOn));
    const written = this.#chosen(step.field.args).flatMap((argument) => {
      const known = this.#valuesFor({ field: coordinateOf(step), argument, answers: wanted });
      const values = isNonNullType(argument.type) ? known.filter((value) => value !== null) : known;
      return values.length === 0 ? [] : [`${argument.name}: ${this.#value(argument, values)}`];
    });
    return written.length === 0 ? "" : `(${written.join(", ")})`;
  }

  /** A Boolean for a directive. */
  condition(value: boolean): string {
    if (!this.#choices.chance(50)) return String(value);
    if (this.#choices.chance(30)) return this.#variable(`Boolean = ${value}`, undefined);
    return this.#variable(this.#choices.chance(30) ? `Boolean! = ${!value}` : "Boolean!", value);
  }

  #chosen(all: readonly GraphQLArgument[]): readonly GraphQLArgument[] {
    const named = (name: string) => all.find((argument) => argument.name === name);
    const chosen = all.filter(({ name, type, defaultValue }) => {
      if (ofLists.includes(name)) return false;
      return (isNonNullType(type) && defaultValue === undefined) || this.#choices.chance(30);
    });
    if (!named("first")) return chosen;
    const [size, place] = this.#choices.chance(20) ? ["last", "before"] : ["first", "after"];
    const wishes = [this.#choices.chance(92) ? size : "", this.#choices.chance(12) ? place : ""];
    return [...chosen, ...wishes.map(named).filter((argument) => argument !== undefined)];
  }

  #value({ type, defaultValue }: GraphQLArgument, values: readonly unknown[]): string {
    const nullable = getNullableType(type);
    if (isListType(nullable)) {
      const mayBe = isNonNullType(nullable.ofType) ? values.filter((value) => value !== null) : values;
      const count = this.#choices.below(4);
      const items = Array.from({ length: count }, () => this.#pick(mayBe));
      if (this.#choices.chance(30)) return this.#variable(String(type), items);
      const item = (value: unknown) =>
        this.#choices.chance(20) ? this.#variable(String(nullable.ofType), value) : literal(nullable.ofType, value);
      return items.length === 1 && this.#choices.chance(20)
        ? literal(nullable.ofType, items[0])
        : `[${items.map(item).join(", ")}]`;
    }
    const value = this.#pick(values);
    const isLone = typeof value === "string" && !value.isWellFormed(); // which a literal cannot contain
    if (!isLone && !this.#choices.chance(45)) return literal(type, value);
    const mayBeLeftOut = !isNonNullType(type) || defaultValue !== undefined;
    if (mayBeLeftOut && this.#choices.chance(15)) return this.#variable(String(nullable), undefined);
    if (!isLone && this.#choices.chance(20))
      return this.#variable(`${String(nullable)} = ${literal(type, value)}`, undefined);
    return this.#variable(String(type), value);
  }

  #pick(values: readonly unknown[]): unknown {
    return this.#choices.chance(55) ? this.#choices.pick(values) : values[0];
  }

  /** A variable of a type, perhaps with a default; the same one for the same value. Undefined is not given. */
  #variable(type: string, value: unknown): string {
    const known = JSON.stringify([type, value]);
    let name = this.#known.get(known);
    if (name === undefined) {
      name = `v${this.declarations.length}`;
      this.#known.set(known, name);
      this.declarations.push(`$${name}: ${type}`);
      if (value !== undefined) this.values[name] = value;
    }
    return `$${name}`;
  }
}

function literal(type: GraphQLInputType, value: unknown): string {
  const nullable = getNullableType(type);
  if (isListType(nullable) && Array.isArray(value))
    return `[${value.map((item) => literal(nullable.ofType, item)).join(", ")}]`;
  if (isInputObjectType(nullable) && typeof value === "object" && value !== null) {
    const fields = nullable.getFields();
    const entries = Object.entries(value).flatMap(([name, of]) => {
      const field = fields[name];
      return field ? [`${name}: ${literal(field.type, of)}`] : [];
    });
    return `{ ${entries.join(", ")} }`;
  }
  return isEnumType(nullable) ? String(value) : JSON.stringify(value);
}
