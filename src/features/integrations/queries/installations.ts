// Where installations of integrations are asked for: from integrations, organizations, spaces and sites.
import { integrations } from "#src/features/integrations/reads.ts";
import {
  installations,
  installationsOfIntegration,
  installationsOfOrganization,
  integrationsOfSite,
  integrationsOfSpace,
  sitesOfInstallation,
  sitesOfIntegration,
  spacesOfInstallation,
  spacesOfIntegration,
} from "#src/features/integrations/reads/installations.ts";
import {
  IntegrationInstallation,
  IntegrationSite,
  IntegrationSpace,
} from "#src/features/integrations/type/installation.ts";
import { Integration } from "#src/features/integrations/type/integration.ts";
import { organizations } from "#src/features/organizations/reads.ts";
import { Organization } from "#src/features/organizations/type/organization.ts";
import { sites } from "#src/features/sites/reads.ts";
import { Site } from "#src/features/sites/type/site.ts";
import { spaces } from "#src/features/spaces/reads.ts";
import { Space } from "#src/features/spaces/type.ts";
import { namedUsers } from "#src/features/users/reads.ts";
import { builder } from "#src/graph/schema/builder.ts";

const args = builder.args((t) => ({
  externalId: t.string({ description: "Only what another service knows by this name." }),
}));

const seen = "newest first, of those in the organizations that the viewer is a member of";

builder.prismaObjectFields(Integration, (t) => ({
  installations: t.list(installationsOfIntegration, `Its installations, ${seen}.`, { args }),
  spaces: t.list(spacesOfIntegration, `Its installations on spaces, ${seen}.`, { args }),
  sites: t.list(sitesOfIntegration, `Its installations on sites, ${seen}.`, { args }),
}));

builder.prismaObjectField(Organization, "installations", (t) =>
  t.list(
    installationsOfOrganization,
    "The integrations that are installed in it, newest first. FORBIDDEN for guests.",
    {
      args,
    },
  ),
);

builder.prismaObjectField(Space, "integrations", (t) =>
  t.list(
    integrationsOfSpace,
    "The integrations that are installed on it, newest first; for members of its organization.",
    {
      args,
    },
  ),
);

builder.prismaObjectField(Site, "integrations", (t) =>
  t.list(
    integrationsOfSite,
    "The integrations that are installed on it, newest first; for members of its organization.",
    {
      args,
    },
  ),
);

const integration = "The integration; null where the viewer may not see it any more.";

builder.prismaObjectFields(IntegrationInstallation, (t) => ({
  integration: t.rowOrNull(integrations, "integrationId", integration),
  organization: t.row(organizations, "organizationId", "The organization."),
  spaces: t.list(spacesOfInstallation, "On which spaces it is, newest first.", { args }),
  sites: t.list(sitesOfInstallation, "On which sites it is, newest first.", { args }),
  createdBy: t.rowOrNull(namedUsers, "createdById", "Who installed it; null when the user is gone."),
}));

builder.prismaObjectFields(IntegrationSpace, (t) => ({
  installation: t.row(installations, "installationId", "The installation in the organization."),
  space: t.row(spaces, "spaceId", "The space."),
}));

builder.prismaObjectFields(IntegrationSite, (t) => ({
  installation: t.row(installations, "installationId", "The installation in the organization."),
  site: t.row(sites, "siteId", "The site."),
}));
