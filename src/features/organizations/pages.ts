// The page of an organization under `/app/`, and the preview that others see.
import { findPreview } from "#src/features/organizations/reads.ts";
import { type AppPage, listValues } from "#src/http/app-pages.ts";
import { html } from "#src/http/html.ts";

export const organizationPages: readonly AppPage[] = [
  { path: "orgs/:org", type: "Organization", query: "organization(id: $org) *" },
  {
    path: "orgs/:org",
    async find(context, { org: id = "" }) {
      const preview = await findPreview(context, id);
      if (!preview) return null;
      const { title, hostname, logoURL } = preview;
      const values = Object.entries({ id, title, hostname, ...(logoURL !== null && { logo: logoURL }) });
      return {
        status: 200,
        title,
        body: html`<p>Organization</p>
          ${listValues(values)}`,
      };
    },
  },
];
