// The spaces and sites that an installation is on, with their settings.
import type { Installation, Named, OnPlace } from "#src/features/integrations/views/installation-answer.ts";
import { settingFields } from "#src/features/integrations/views/setting-fields.ts";
import { statusOf } from "#src/features/integrations/views/status.ts";
import type { Settings } from "#src/features/integrations/model/manifest/configurations.ts";
import { optionsOf, tableOf } from "#src/features/users/views/app-lists.ts";
import { html, type Html } from "#src/http/html.ts";
import { filled, formOf, problemOf } from "#src/pages/forms.ts";
import type { Asked } from "#src/pages/page.ts";

/** One kind of places. */
interface Kind {
  readonly noun: "space" | "site";
  readonly list: Installation["spaces"];
  readonly selection: "ALL" | "SELECTED";
  /** Places of the organization. */
  readonly known: readonly Named[];
  readonly settings: Settings | undefined;
  readonly isAdmin: boolean;
}

/** Both kinds; nothing where the integration is for the organization as a whole. */
export function placesOf({ organization, integration, ...of }: Installation, asked: Asked): Html {
  const isAdmin = organization.permissions.admin;
  const target = integration?.target ?? "ORGANIZATION";
  const { space, site } = integration?.configurations ?? {};
  const spaces = { noun: "space", list: of.spaces, selection: of.spaceSelection, settings: space } as const;
  const sites = { noun: "site", list: of.sites, selection: of.siteSelection, settings: site } as const;
  return html`${
    target === "SPACE" || target === "ALL"
      ? kindOf({ ...spaces, known: organization.spaces.nodes, isAdmin }, asked)
      : ""
  }
  ${target === "SITE" || target === "ALL" ? kindOf({ ...sites, known: organization.sites.nodes, isAdmin }, asked) : ""}`;
}

/** The names of the forms of a kind: `space`, `addSpace` and `removeSpace`. */
const formsOf = (noun: Kind["noun"]) => {
  const name = noun === "space" ? "Space" : "Site";
  return { change: noun, add: `add${name}`, remove: `remove${name}` } as const;
};

function kindOf(kind: Kind, asked: Asked): Html {
  const { noun, list, selection, isAdmin } = kind;
  const forms = formsOf(noun);
  const headings = ["Place", "Status", ...(isAdmin ? ["Settings", "Action"] : [])];
  return html`<h3 id="${noun}s">On ${noun}s</h3>
    ${Object.values(forms).map((form) => problemOf(asked, form))}
    ${
      list.nodes.length === 0
        ? html`<p>${selection === "ALL" ? `The organization has no ${noun}s yet.` : `It is on no ${noun} yet.`}</p>`
        : tableOf(
            `Installed on ${noun}s`,
            headings,
            list.nodes.map((place) => rowOf(place, kind, asked)),
          )
    }
    ${nextOfKind(kind, asked)} ${isAdmin && selection === "SELECTED" ? addition(kind, asked) : ""}`;
}

function rowOf(on: OnPlace, kind: Kind, asked: Asked): Html {
  const { id, status, place } = on;
  const forms = formsOf(kind.noun);
  const path = kind.noun === "space" ? `/app/spaces/${place.id}` : null;
  return html`<tr>
    <td class="wide">${path === null ? place.title : html`<a href="${path}">${place.title}</a>`}</td>
    <td class="tight">${statusOf(status)}</td>
    ${
      kind.isAdmin
        ? html`<td>${settingsOf(on, kind, asked)}</td>
            <td class="tight">
              ${
                kind.selection === "ALL"
                  ? ""
                  : formOf(
                      forms.remove,
                      html`<input type="hidden" name="of" value="${id}" /><button aria-label="Remove ${place.title}">
                          Remove
                        </button>`,
                      { style: "quiet" },
                    )
              }
            </td>`
        : ""
    }
  </tr>`;
}

/** The settings of a place; open after a refusal. */
function settingsOf({ id, configuration, place }: OnPlace, { noun, settings }: Kind, asked: Asked): Html {
  if (Object.keys(settings?.properties ?? {}).length === 0) return html`—`;
  const { change } = formsOf(noun);
  const isOpen = asked.problem?.form === change && asked.problem.fields.get("of") === id;
  const fields = settingFields({ settings, values: configuration ?? {}, form: change, of: id }, asked);
  return html`<details ${isOpen ? html`open` : ""}>
    <summary aria-label="Settings of ${place.title}">Settings</summary>
    ${formOf(change, html`${fields}<button>Save</button>`, { style: "stacked quiet" })}
  </details>`;
}

function addition({ noun, known, list }: Kind, asked: Asked): Html {
  const present = new Set(list.nodes.map(({ place }) => place.id));
  const others = known.flatMap(({ id, title }) => (present.has(id) ? [] : [[id, title] as const]));
  if (others.length === 0) return html``;
  const { add } = formsOf(noun);
  return formOf(
    add,
    html`<label>
        Another ${noun}
        <select name="place">
          ${optionsOf(others, filled(asked, add, "place"))}
        </select>
      </label>
      <button>Add</button>`,
    { style: "row quiet" },
  );
}

function nextOfKind({ noun, list: { pageInfo } }: Kind, { root, search }: Asked): Html {
  if (!pageInfo.hasNextPage) return html``;
  const next = new URLSearchParams(search);
  next.set(`${noun}s`, pageInfo.endCursor ?? "");
  return html`<p><a href="${root}?${next.toString()}#${noun}s">More ${noun}s</a></p>`;
}
