// The page of the glossary of an organization: terms that stay as they are, or have one translation in a language.
import {
  type OrganizationFrame,
  organizationFrame,
  organizationPage,
} from "#src/features/organizations/views/organization-frame.ts";
import { nameOfLanguage, optionalLanguageOptions } from "#src/features/translations/views/languages.ts";
import { type AppFrame, appFrame } from "#src/features/users/views/app-frame.ts";
import { confirmed, hereOf, type ListEnd, nextOf, tableOf } from "#src/features/users/views/app-lists.ts";
import { html, type Html } from "#src/http/html.ts";
import { filled, formOf, problemOf } from "#src/pages/forms.ts";
import { type Asked, defineForm, definePage, type Form, type Page } from "#src/pages/page.ts";

interface TermTranslation {
  readonly language: string;
  readonly text: string;
}

interface Term {
  readonly id: string;
  readonly term: string;
  readonly translations: readonly TermTranslation[];
  readonly permissions: { readonly edit: boolean };
}

interface Glossary extends AppFrame {
  readonly organization: OrganizationFrame & {
    readonly permissions: OrganizationFrame["permissions"] & { readonly createContent: boolean };
    readonly glossary: { readonly nodes: readonly Term[]; readonly pageInfo: ListEnd };
  };
}

const here = (_answer: object, asked: Asked): string => hereOf(asked);

/** The term and its translations that a form contains; rows without a text are left out. */
const termIn = (fields: URLSearchParams) => ({
  term: fields.get("term")?.trim(),
  translations: sentTranslations(fields).filter(({ language, text }) => language !== "" && text !== ""),
});

function sentTranslations(fields: URLSearchParams): readonly TermTranslation[] {
  const texts = fields.getAll("text");
  return fields.getAll("language").map((language, index) => ({ language, text: texts[index]?.trim() ?? "" }));
}

const forms: Readonly<Record<string, Form<never>>> = {
  create: defineForm({
    mutation: `mutation NewTerm($input: CreateGlossaryTermInput!) { createGlossaryTerm(input: $input) { glossaryTerm { id } } }`,
    variables: (fields, { named }) => ({ input: { organizationId: named["org"], ...termIn(fields) } }),
    then: here,
  }),
  update: defineForm({
    mutation: `mutation SaveTerm($input: UpdateGlossaryTermInput!) { updateGlossaryTerm(input: $input) { glossaryTerm { id } } }`,
    variables: (fields) => ({ input: { glossaryTermId: fields.get("glossaryTermId"), ...termIn(fields) } }),
    then: (_answer, { root, search }) => {
      const after = search.get("after");
      return after === null ? root : `${root}?${new URLSearchParams({ after }).toString()}`;
    },
  }),
  delete: defineForm({
    mutation: `mutation DeleteTerm($input: DeleteGlossaryTermInput!) { deleteGlossaryTerm(input: $input) { deletedId } }`,
    variables: (fields, { named }) => ({
      input: { organizationId: named["org"], glossaryTermId: fields.get("glossaryTermId") },
    }),
    then: here,
  }),
};

export const glossaryPage: Page = definePage<Glossary>({
  path: "/app/orgs/:org/glossary",
  query: `query Glossary($org: ID!, $after: String) {
    organization(id: $org) {
      ...OrganizationFrame permissions { createContent }
      glossary(first: 50, after: $after) {
        nodes { id term translations { language text } permissions { edit } } pageInfo { hasNextPage endCursor }
      }
    }
    ...AppFrame
  } ${organizationFrame} ${appFrame}`,
  variables: ({ named: { org }, search }) => ({ org, after: search.get("after") }),
  view: (answer, asked) =>
    organizationPage(answer, {
      tab: "Translations",
      title: "Glossary",
      isLive: true,
      main: mainOf(answer.organization, asked),
    }),
  forms,
  listens: {
    subscription: `subscription GlossaryChanged($org: ID!) {
      organizationEvents(
        of: { organizationId: $org }, kinds: [GLOSSARY_TERM_CREATED, GLOSSARY_TERM_CHANGED, GLOSSARY_TERM_DELETED]
      ) { __typename }
    }`,
    variables: ({ named: { org } }) => ({ org }),
  },
});

function mainOf({ id, glossary: { nodes, pageInfo }, permissions }: Glossary["organization"], asked: Asked): Html {
  const isEditable = permissions.createContent;
  return html`<h2>Glossary</h2>
    <p class="soft">
      <a href="/app/orgs/${id}/translations">Translations</a> keep these terms as they are, or translate them as it is
      said here.
    </p>
    ${isEditable ? creation(asked) : ""} ${["update", "delete"].map((form) => problemOf(asked, form))}
    ${
      nodes.length === 0
        ? html`<p>The glossary is empty.</p>`
        : html`${tableOf(
            "Terms",
            ["Term", "Translations", ...(isEditable ? ["Action"] : [])],
            nodes.map((term) => rowOf(term, isEditable, asked)),
          )}
          ${nextOf(pageInfo, asked)}`
    }`;
}

function creation(asked: Asked): Html {
  const sent = asked.problem?.form === "create" ? sentTranslations(asked.problem.fields) : [];
  return html`${problemOf(asked, "create")}
  ${formOf(
    "create",
    html`<label>
        A new term
        <input name="term" required maxlength="100" value="${filled(asked, "create", "term")}" />
      </label>
      ${translationFields(sent, 2)}<button>Add</button>`,
    { style: "stacked" },
  )}`;
}

/** Rows for translations: the given ones, and some more. */
const translationFields = (given: readonly TermTranslation[], more: number): Html =>
  html`<fieldset>
    <legend>Translations; in all other languages the term stays as it is</legend>
    ${[...given, ...Array<TermTranslation>(more).fill({ language: "", text: "" })].map(
      ({ language, text }) =>
        html`<div class="pair">
          <select name="language" aria-label="Language">
            ${optionalLanguageOptions(language)}
          </select>
          <input name="text" aria-label="Translation" maxlength="100" value="${text}" />
        </div>`,
    )}
  </fieldset>`;

/** A row; that of the term that the address names, or whose form was refused, has the fields to change it. */
function rowOf({ id, term, translations, permissions }: Term, isEditable: boolean, asked: Asked): Html {
  const isSent = asked.problem?.form === "update" && asked.problem.fields.get("glossaryTermId") === id;
  const isOpen = isEditable && permissions.edit && (isSent || asked.search.get("edit") === id);
  const sent = isSent && asked.problem ? sentTranslations(asked.problem.fields) : translations;
  return html`<tr>
    <td class="wide">${term}</td>
    <td class="wide">
      ${
        isOpen
          ? changing(id, isSent ? filled(asked, "update", "term") : term, sent)
          : translations.length === 0
            ? html`<span class="soft">stays as it is</span>`
            : translations.map(({ language, text }) => html`<div>${nameOfLanguage(language)}: ${text}</div>`)
      }
    </td>
    ${isEditable ? html`<td class="tight">${permissions.edit ? actionsOf(id, term, asked) : ""}</td>` : ""}
  </tr>`;
}

const knownTerm = (id: string): Html => html`<input type="hidden" name="glossaryTermId" value="${id}" />`;

const changing = (id: string, term: string, translations: readonly TermTranslation[]): Html =>
  formOf(
    "update",
    html`${knownTerm(id)}
      <label>
        Term
        <input name="term" required maxlength="100" value="${term}" />
      </label>
      ${translationFields(translations, 2)}<button>Save</button>`,
    { style: "stacked" },
  );

function actionsOf(id: string, term: string, { root, search }: Asked): Html {
  const edit = new URLSearchParams(search);
  edit.set("edit", id);
  return html`<a href="${root}?${edit.toString()}" aria-label="Edit ${term}">Edit</a>
    ${confirmed("Delete…", formOf("delete", html`${knownTerm(id)}<button>Delete ${term}</button>`, { style: "danger" }))}`;
}
