// Permission cases of installations of integrations: only admins of the organization are allowed.
import type { PermissionCase, Fixture } from "#test/support/access/fixture.ts";

const ids = ({ installation, integrationSpace, integrationSite }: Fixture) => ({
  installation: { installationId: installation.id },
  integrationSpace: { integrationSpaceId: integrationSpace.id },
  integrationSite: { integrationSiteId: integrationSite.id },
});
type Thing = keyof ReturnType<typeof ids>;

const allowedBy = ["organization.admin"] as const;

const change = (mutation: string, thing: Thing, settings: object = {}): PermissionCase => ({
  mutation,
  input: (fixture) => ({ ...ids(fixture)[thing], ...settings }),
  allowedBy,
  seen: [thing],
});

const removal = (mutation: string, thing: Thing): PermissionCase => ({ ...change(mutation, thing), deletes: thing });

const externalIds = { externalIds: ["known"] };

export const installationPermissionCases: readonly PermissionCase[] = [
  {
    mutation: "installIntegration",
    input: ({ integration, organization }) => ({ integrationName: integration.name, organizationId: organization.id }),
    allowedBy,
    seen: ["integration", "organization"],
  },
  change("updateInstallation", "installation", externalIds),
  change("pauseInstallation", "installation"),
  {
    ...change("resumeInstallation", "installation"),
    prepare: ({ installation: { id } }, { prisma }) =>
      prisma.integrationInstallation.update({ where: { id }, data: { status: "paused" } }),
  },
  removal("uninstallIntegration", "installation"),
  {
    mutation: "installIntegrationOnSpace",
    input: (fixture) => ({ ...ids(fixture).installation, spaceId: fixture.topSpace.id }),
    allowedBy,
    seen: ["installation"],
    into: "topSpace",
  },
  change("updateIntegrationSpace", "integrationSpace", externalIds),
  removal("uninstallIntegrationFromSpace", "integrationSpace"),
  {
    mutation: "installIntegrationOnSite",
    input: (fixture) => ({ ...ids(fixture).installation, siteId: fixture.site.id }),
    allowedBy,
    seen: ["installation"],
    prepare: ({ integrationSite: { id } }, { prisma }) => prisma.integrationSite.delete({ where: { id } }),
  },
  change("updateIntegrationSite", "integrationSite", externalIds),
  removal("uninstallIntegrationFromSite", "integrationSite"),
];
