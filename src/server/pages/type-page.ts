// The page of a type in the reference: what is in it, each with its type, arguments and description.
import {
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isUnionType,
  astFromValue,
  print,
} from "graphql";
import { kindOf, type Member } from "#src/server/pages/schema-uses.ts";
import { html, type Html } from "#src/http/html.ts";

/** Where the pages of the types are. */
export const typePath = "/reference/graphql/";

/** A description: paragraphs, and what is between backticks as code. */
export function prose(text: string): Html[] {
  return text.split(/\n\s*\n/).map((paragraph) => {
    const pieces = paragraph
      .split("`")
      .map((piece, index) => (index % 2 === 1 ? html`<code>${piece}</code>` : html`${piece}`));
    return html`<p>${pieces}</p>`;
  });
}

/** A link to the page of a type, or to a place there. */
export const typeLink = (name: string, anchor = "", text = name): Html =>
  html`<a href="${typePath}${name}${anchor === "" ? "" : `#${anchor}`}">${text}</a>`;

/** A type as it is written, with the name in it as a link. */
function typeText(type: GraphQLType): Html {
  const { name } = getNamedType(type);
  const [before = "", after = ""] = String(type).split(name);
  return html`${before}${typeLink(name)}${after}`;
}

interface Entry {
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly deprecationReason?: string | null | undefined;
  readonly type?: GraphQLType;
  readonly args?: readonly GraphQLArgument[];
  readonly preset?: string | null;
}

const entryOf = ({ name, description, deprecationReason, type, args = [], preset }: Entry): Html =>
  html`<li id="${name}">
    <p class="signature">
      <a href="#${name}">${name}</a>${type ? html`: ${typeText(type)}` : ""}${preset ? html` = ${preset}` : ""}
    </p>
    ${deprecated(deprecationReason)} ${prose(description ?? "")}
    ${
      args.length > 0
        ? html`<dl aria-label="Arguments">
            ${args.map(
              (argument) =>
                html`<dt>
                    ${argument.name}:
                    ${typeText(argument.type)}${presetOf(argument) ? html` = ${presetOf(argument) ?? ""}` : ""}
                  </dt>
                  <dd>${deprecated(argument.deprecationReason)} ${prose(argument.description ?? "")}</dd>`,
            )}
          </dl>`
        : ""
    }
  </li>`;

function deprecated(reason: string | null | undefined): Html {
  return reason == null ? html`` : html`<div class="deprecated">Deprecated. ${prose(reason)}</div>`;
}

/** What a value is when it is left out, as it is written. */
function presetOf({ defaultValue, type }: Pick<GraphQLInputField, "defaultValue" | "type">): string | null {
  const node = defaultValue === undefined ? null : astFromValue(defaultValue, type);
  return node ? print(node) : null;
}

/** What is in a type, and what that is called; nothing of scalars and unions. */
function entriesOf(type: GraphQLNamedType): readonly [title: string, entries: readonly Entry[]] {
  if (isEnumType(type)) return ["Values", type.getValues()];
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields());
    return [type.isOneOf ? "Exactly one of" : "Fields", fields.map((field) => ({ ...field, preset: presetOf(field) }))];
  }
  return isObjectType(type) || isInterfaceType(type) ? ["Fields", Object.values(type.getFields())] : ["", []];
}

/** What is known of a type beside what is in it. */
interface Around {
  readonly uses: readonly Member[];
  /** The types that an interface has. */
  readonly implementers: readonly string[];
}

/** The page: what is deprecated comes after what is not, and where the type is used comes last. */
export function typeBody(type: GraphQLNamedType, { uses, implementers }: Around): Html {
  const [title, entries] = entriesOf(type);
  const present = entries.filter(({ deprecationReason }) => deprecationReason == null);
  const former = entries.filter(({ deprecationReason }) => deprecationReason != null);
  const interfaces = isObjectType(type) || isInterfaceType(type) ? type.getInterfaces() : [];
  const members = isUnionType(type) ? type.getTypes().map(({ name }) => name) : implementers;
  return html`<p class="kind">
      ${kindOf(type)}${interfaces.length > 0 ? " · implements " : ""}${joined(
        interfaces.map(({ name }) => typeLink(name)),
      )}
    </p>
    <h1>${type.name}</h1>
    ${prose(type.description ?? "")}
    ${section(isUnionType(type) ? "One of" : "Implemented by", "names", namesOf(members))}
    ${section(title, "entries", present.map(entryOf))} ${section("Deprecated", "entries", former.map(entryOf))}
    ${section("Used by", "names", uses.map(useOf))}`;
}

/** A list under a heading; nothing where it is empty. */
function section(title: string, kind: "names" | "entries", items: readonly Html[]): Html {
  if (items.length === 0) return html``;
  return html`<h2>${title}</h2>
    <ul class="${kind}">
      ${items}
    </ul>`;
}

const namesOf = (names: readonly string[]): Html[] => names.map((name) => html`<li>${typeLink(name)}</li>`);

/** Names of types as links. */
export const namesList = (names: readonly string[]): Html =>
  html`<ul class="names">
    ${namesOf(names)}
  </ul>`;

const useOf = ({ typeName, name, anchor }: Member): Html =>
  html`<li>${typeLink(typeName, anchor, `${typeName}.${name}`)}</li>`;

const joined = (pieces: readonly Html[]): Html[] =>
  pieces.map((piece, index) => (index === 0 ? piece : html`, ${piece}`));
