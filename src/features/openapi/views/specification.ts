// What the page of an OpenAPI specification shows, with its forms.
import { type ComparedVersion, changesOf, warningsOf } from "#src/features/openapi/views/changes.ts";
import { sourceFields } from "#src/features/openapi/views/source-fields.ts";
import { type SpecState, stateOf } from "#src/features/openapi/views/state.ts";
import { type OrganizationFrame, organizationPage } from "#src/features/organizations/views/organization-frame.ts";
import { type AppFrame, appPage, timeOf } from "#src/features/users/views/app-frame.ts";
import {
  confirmed,
  counted,
  factsOf,
  type ListEnd,
  nextOf,
  optionsOf,
  tableOf,
} from "#src/features/users/views/app-lists.ts";
import { html, type Html } from "#src/http/html.ts";
import { filled, formOf, problemOf } from "#src/pages/forms.ts";
import type { Asked, Shown } from "#src/pages/page.ts";

interface Version {
  readonly id: string;
  readonly number: number;
  readonly apiVersion: string;
  readonly openapi: string;
  readonly createdAt: string;
  readonly operationCount: number;
  readonly modelCount: number;
  readonly warningCount: number;
  readonly url: string;
}

interface SpecOrganization extends OrganizationFrame {
  readonly spaces: {
    readonly nodes: readonly {
      readonly id: string;
      readonly title: string;
      readonly editMode: "LIVE" | "LOCKED";
      readonly permissions: { readonly edit: boolean };
    }[];
  };
  readonly changeRequests: {
    readonly nodes: readonly {
      readonly id: string;
      readonly number: number;
      readonly subject: string;
      readonly space: { readonly title: string };
    }[];
  };
}

interface Spec extends SpecState {
  readonly id: string;
  readonly slug: string;
  readonly title: string | null;
  readonly visibility: "PRIVATE" | "PUBLIC";
  readonly lastProcessError: string | null;
  readonly lastProcessedAt: string | null;
  readonly nextProcessAt: string | null;
  readonly sourceURL: string | null;
  readonly organizationId: string;
  readonly permissions: { readonly edit: boolean };
  /** Null for those who see the specification because it is public. */
  readonly organization: SpecOrganization | null;
  readonly lastVersion?: ComparedVersion | null;
  /** The version that the address names. */
  readonly version?: ComparedVersion | null;
  readonly versions: { readonly nodes: readonly Version[]; readonly pageInfo: ListEnd };
}

/** `node` is empty for an id of something else. */
export interface Answer extends AppFrame {
  readonly node: Spec | Record<string, never>;
}

export function specificationView(answer: Answer, asked: Asked): Shown {
  const spec = answer.node;
  if (!isSpec(spec)) return null;
  const title = spec.title ?? spec.slug;
  const compared = spec.version ?? spec.lastVersion ?? null;
  const main = html`<h2>${title} ${stateOf(spec)}</h2>
    ${factsOfSpec(spec)} ${problemsOf(asked)} ${spec.permissions.edit ? actionsOf(spec) : ""} ${warningsOf(compared)}
    ${changesOf(compared)} ${versionsOf(spec, asked)}
    ${spec.organization ? usageOf(spec, spec.organization, asked) : ""}
    ${spec.permissions.edit ? settingsOf(spec, asked) : ""}`;
  const { organization } = spec;
  return organization
    ? organizationPage({ ...answer, organization }, { tab: "Specifications", title, main, isLive: true })
    : appPage(answer, { title, main, crumbs: [["Home", "/app"]], isLive: true });
}

const isSpec = (node: Answer["node"]): node is Spec => node["slug"] !== undefined;

const problemsOf = (asked: Asked): Html =>
  html`${["refresh", "visibility", "delete"].map((form) => problemOf(asked, form))}`;

const factsOfSpec = ({ slug, sourceURL, lastProcessedAt, nextProcessAt, lastProcessError }: Spec): Html =>
  html`${
    lastProcessError === null
      ? ""
      : html`<p class="problem">The last version could not be read: ${lastProcessError}</p>`
  }
  ${factsOf([
    ["Short name", slug],
    ["Address", sourceURL],
    ["Last read", lastProcessedAt === null ? null : timeOf(lastProcessedAt)],
    ["Next check", nextProcessAt === null ? null : timeOf(nextProcessAt)],
  ])}`;

/** What forms of an organization name the specification by. */
const namesOf = ({ organizationId, slug }: Spec): Html =>
  html`<input type="hidden" name="organizationId" value="${organizationId}" />
    <input type="hidden" name="slug" value="${slug}" />`;

function actionsOf(spec: Spec): Html {
  const { sourceURL, visibility } = spec;
  const other = visibility === "PUBLIC" ? "PRIVATE" : "PUBLIC";
  return html`<div class="actions-row">
    ${sourceURL === null ? "" : formOf("refresh", html`${namesOf(spec)}<button>Check now</button>`)}
    ${formOf(
      "visibility",
      html`${namesOf(spec)}<input type="hidden" name="visibility" value="${other}" />
        <button>${other === "PUBLIC" ? "Make public" : "Make private"}</button>`,
      { style: "quiet" },
    )}
  </div>`;
}

function versionsOf({ versions: { nodes, pageInfo } }: Spec, asked: Asked): Html {
  if (nodes.length === 0) return html`<p>No version could be read yet.</p>`;
  const rows = nodes.map(
    ({ id, number, apiVersion, openapi, createdAt, operationCount, modelCount, warningCount, url }) =>
      html`<tr>
        <td class="tight"><a href="${asked.root}?version=${id}">Version ${number}</a></td>
        <td class="wide">${apiVersion} <span class="soft">OpenAPI ${openapi}</span></td>
        <td class="tight">
          ${counted(operationCount, "operation")}, ${counted(modelCount, "model")}
          ${warningCount === 0 ? "" : html`<span class="soft">${counted(warningCount, "warning")}</span>`}
        </td>
        <td class="tight">${timeOf(createdAt)}</td>
        <td class="tight"><a href="${url}">Document</a></td>
      </tr>`,
  );
  return html`<h3>Versions</h3>
    ${tableOf("Versions", ["Version", "Version of the API", "Contains", "Since", "File"], rows)}
    ${nextOf(pageInfo, asked)}`;
}

function usageOf({ id, title, slug }: Spec, { spaces, changeRequests }: SpecOrganization, asked: Asked): Html {
  const places = [
    ...spaces.nodes.flatMap(({ id: place, title: name, editMode, permissions }) =>
      permissions.edit && editMode === "LIVE" ? [[place, name] as const] : [],
    ),
    ...changeRequests.nodes.map(
      ({ id: place, number, subject, space }) =>
        [place, `${space.title}, in change request #${number} ${subject}`.trim()] as const,
    ),
  ];
  if (places.length === 0) return html``;
  return html`<h3>Show it on pages</h3>
    <p class="soft">A page, and pages for its operations and models below it, which follow the latest version.</p>
    ${problemOf(asked, "page")}
    ${formOf(
      "page",
      html`<input type="hidden" name="spec" value="${id}" />
        <label>
          Title
          <input name="title" required maxlength="250" value="${filled(asked, "page", "title", title ?? slug)}" />
        </label>
        <label>
          In
          <select name="place">
            ${optionsOf(places, filled(asked, "page", "place"))}
          </select>
        </label>
        <button>Create the page</button>`,
      { style: "row" },
    )}`;
}

const settingsOf = (spec: Spec, asked: Asked): Html =>
  html`<h3>Another source</h3>
    ${problemOf(asked, "source")}
    ${formOf(
      "source",
      html`${namesOf(spec)} ${sourceFields("source", spec.sourceURL, asked)}<button>Read it</button>`,
      {
        style: "stacked quiet",
      },
    )}
    ${confirmed(
      "Delete this specification…",
      formOf(
        "delete",
        html`${namesOf(spec)}
          <p>All its versions are deleted with it.</p>
          <label class="check">
            <input type="checkbox" name="force" /> Also if pages are computed from it: they become empty
          </label>
          <button>Delete ${spec.slug}</button>`,
        { style: "danger" },
      ),
    )}`;
