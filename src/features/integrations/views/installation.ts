// What the page of an installation shows: its terms and settings, the places where it is, and its events.
import { eventsOf } from "#src/features/integrations/views/events.ts";
import type { Answer, Installation } from "#src/features/integrations/views/installation-answer.ts";
import { placesOf } from "#src/features/integrations/views/places.ts";
import { selectionFields } from "#src/features/integrations/views/selections.ts";
import { settingFields } from "#src/features/integrations/views/setting-fields.ts";
import { scopesOf, statusOf } from "#src/features/integrations/views/status.ts";
import { organizationPage } from "#src/features/organizations/views/organization-frame.ts";
import { timeOf } from "#src/features/users/views/app-frame.ts";
import { confirmed, factsOf, nameOfValue } from "#src/features/users/views/app-lists.ts";
import { html, type Html } from "#src/http/html.ts";
import { filled, formOf, problemOf } from "#src/pages/forms.ts";
import type { Asked, Shown } from "#src/pages/page.ts";

export function installationView(answer: Answer, asked: Asked): Shown {
  const installation = answer.node;
  if (!isInstallation(installation)) return null;
  const { organization, integration, integrationName, status } = installation;
  const title = integration?.title ?? integrationName;
  const isAdmin = organization.permissions.admin;
  return organizationPage(
    { ...answer, organization },
    {
      tab: "Integrations",
      title,
      main: html`<h2>${title} ${statusOf(status)}</h2>
        ${["pause", "resume", "agree", "pin", "uninstall", "retry"].map((form) => problemOf(asked, form))}
        ${factsOfInstallation(installation)} ${isAdmin ? pausing(installation) : ""} ${termsOf(installation, isAdmin)}
        ${isAdmin ? settingsOf(installation, asked) : ""} ${placesOf(installation, asked)}
        ${isAdmin ? html`${eventsOf(installation, asked)} ${uninstalling(title)}` : ""}`,
    },
  );
}

const isInstallation = (node: Answer["node"]): node is Installation => node["integrationName"] !== undefined;

const factsOfInstallation = ({ integrationName, createdAt, createdBy, externalIds, urls, ...of }: Installation): Html =>
  factsOf([
    ["Integration", html`<a href="/app/integrations/${integrationName}">${integrationName}</a>`],
    ["Version", of.pinnedVersion === null ? (of.version ?? "none") : `${of.pinnedVersion}, pinned`],
    ["Installed", html`${timeOf(createdAt)}${createdBy ? ` by ${createdBy.displayName}` : ""}`],
    ["Names elsewhere", externalIds.join(", ")],
    ["Public endpoint", html`<span class="address">${urls.publicEndpoint}</span>`],
  ]);

const pausing = ({ status }: Installation): Html =>
  status === "PAUSED"
    ? formOf("resume", html`<button>Resume</button>`)
    : formOf("pause", html`<button>Pause</button>`, { style: "quiet" });

function termsOf(installation: Installation, isAdmin: boolean): Html {
  const { scopes, agreedVersion, pinnedVersion, version, integration } = installation;
  const asks = pendingOf(installation);
  const latest = integration?.version ?? agreedVersion;
  return html`<h3>What it may do</h3>
    ${scopesOf(scopes)}
    <p class="soft">As agreed to with version ${agreedVersion}.</p>
    ${
      asks.length === 0
        ? ""
        : html`<p>Version ${latest} also asks for:</p>
            <ul>
              ${asks.map((text) => html`<li>${text}</li>`)}
            </ul>`
    }
    ${
      !isAdmin
        ? ""
        : html`<div class="actions-row">
            ${asks.length === 0 ? "" : formOf("agree", html`${versionField(latest)}<button>Agree to it</button>`)}
            ${pinning(pinnedVersion, version)}
          </div>`
    }`;
}

const versionField = (version: number): Html => html`<input type="hidden" name="version" value="${version}" />`;

const pendingOf = (of: Installation): readonly string[] => [
  ...of.pendingScopes.map(nameOfValue),
  ...of.pendingBlocks.map((block) => `the block ${block}`),
  ...(of.pendingTarget === null ? [] : [`to be installed on: ${nameOfValue(of.pendingTarget).toLowerCase()}`]),
  ...(of.pendingContentSecurityPolicy === null ? [] : [`the content policy ${of.pendingContentSecurityPolicy}`]),
];

function pinning(pinned: number | null, version: number | null): Html {
  if (pinned !== null) return formOf("pin", html`<button>Follow new versions</button>`, { style: "quiet" });
  if (version === null) return html``;
  return formOf("pin", html`${versionField(version)}<button>Keep on version ${version}</button>`, { style: "quiet" });
}

function settingsOf({ integration, configuration, id, ...of }: Installation, asked: Asked): Html {
  const settings = integration?.configurations.account;
  const target = integration?.target ?? "ORGANIZATION";
  const chosen = selectionFields(target, (name) => filled(asked, "places", name, of[name]));
  const fields = settingFields({ settings, values: configuration ?? {}, form: "settings", of: id }, asked);
  return html`<h3>Settings</h3>
    ${problemOf(asked, "settings")}
    ${
      Object.keys(settings?.properties ?? {}).length === 0
        ? html`<p class="soft">It has no settings for the whole organization.</p>`
        : formOf("settings", html`${fields}<button>Save</button>`, { style: "stacked" })
    }
    ${problemOf(asked, "places")}
    ${target === "ORGANIZATION" ? "" : formOf("places", html`${chosen}<button>Save</button>`, { style: "row quiet" })}`;
}

const uninstalling = (title: string): Html =>
  confirmed(
    "Uninstall…",
    formOf(
      "uninstall",
      html`<p>Its settings and its events are deleted.</p>
        <button>Uninstall ${title}</button>`,
      { style: "danger" },
    ),
  );
