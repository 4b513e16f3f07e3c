// What everybody tries with installations of integrations: admins of the organization do it, and nobody else.
import type { Deed, Stage } from "#test/support/access/fixture.ts";

const ids = ({ installation, integrationSpace, integrationSite }: Stage) => ({
  installation: { installationId: installation.id },
  integrationSpace: { integrationSpaceId: integrationSpace.id },
  integrationSite: { integrationSiteId: integrationSite.id },
});
type Thing = keyof ReturnType<typeof ids>;

const allowedBy = ["organization.admin"] as const;

const change = (mutation: string, thing: Thing, settings: object = {}): Deed => ({
  mutation,
  input: (stage) => ({ ...ids(stage)[thing], ...settings }),
  allowedBy,
  seen: [thing],
});

const removal = (mutation: string, thing: Thing): Deed => ({ ...change(mutation, thing), deletes: thing });

const externalIds = { externalIds: ["known"] };

export const installationDeeds: readonly Deed[] = [
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
    input: (stage) => ({ ...ids(stage).installation, spaceId: stage.topSpace.id }),
    allowedBy,
    seen: ["installation"],
    into: "topSpace",
  },
  change("updateIntegrationSpace", "integrationSpace", externalIds),
  removal("uninstallIntegrationFromSpace", "integrationSpace"),
  {
    mutation: "installIntegrationOnSite",
    input: (stage) => ({ ...ids(stage).installation, siteId: stage.site.id }),
    allowedBy,
    seen: ["installation"],
    prepare: ({ integrationSite: { id } }, { prisma }) => prisma.integrationSite.delete({ where: { id } }),
  },
  change("updateIntegrationSite", "integrationSite", externalIds),
  removal("uninstallIntegrationFromSite", "integrationSite"),
];
