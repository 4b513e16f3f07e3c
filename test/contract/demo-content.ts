// Content that the demo lacks: every kind of content, in a space and in one of its change requests.
import { newId } from "#src/base/ids.ts";
import type { Database } from "#src/db/connection/database.ts";
import { giveFiles } from "#test/features/content/factory.ts";
import { editAs, newPage } from "#test/features/content/edits.ts";
import { exampleCertificate } from "#test/features/saml/example-certificate.ts";
import type { Client } from "#test/support/app.ts";

const samlSettings = {
  entityID: "https://idp.example.com/metadata",
  ssoURL: "https://idp.example.com/sso",
  logoutURL: "https://idp.example.com/slo",
  certificate: exampleCertificate,
  defaultRole: "read",
  status: "active",
} as const;

/** Writes the content as an admin of the demo. */
export async function addDemoContent(database: Database, admin: Client): Promise<void> {
  const space = await database.prisma.space.findFirstOrThrow({
    where: { visibility: "public", editMode: "live", deletedAt: null, changeRequests: { some: { status: "open" } } },
    include: { changeRequests: { where: { status: "open" } } },
  });
  const { organizationId } = space;
  await database.prisma.openApiSpec.create({
    data: {
      id: newId("OpenApiSpec"),
      organizationId,
      slug: "petstore",
      addressKey: Buffer.from("key"),
      sourceBlob: "none",
    },
  });
  const team = await database.prisma.team.findFirstOrThrow({ where: { organizationId } });
  await database.prisma.samlProvider.create({
    data: { id: newId("SamlProvider"), organizationId, label: "Staff", defaultTeamId: team.id, ...samlSettings },
  });
  const createdAt = new Date();
  await database.prisma.inviteLink.create({
    data: { id: newId("InviteLink"), organizationId, key: "a-key-of-the-crawl", createdAt },
  });
  await database.prisma.auditEntry.create({
    data: { id: newId("AuditEntry"), organizationId, type: "member.updated", createdAt },
  });
  const collection = await database.prisma.collection.findFirstOrThrow({ where: { organizationId } });
  const member = await database.prisma.organizationMember.findFirstOrThrow({ where: { organizationId } });
  await database.prisma.grant.create({
    data: { id: newId("Grant"), organizationId, collectionId: collection.id, userId: member.userId, role: "read" },
  });
  const targets = [{ spaceId: space.id }, ...space.changeRequests.map(({ id }) => ({ changeRequestId: id }))];
  for (const target of targets) {
    const [fileId = ""] = await giveFiles(database, await editAs(admin, target, newPage("Start").edit), ["photo.txt"]);
    await editAs(admin, target, ...edits(fileId));
  }
}

/** Pages of every type with all properties, and the content their texts include. */
function edits(fileId: string) {
  const reusableContentId = newId("ReusableContent");
  const guide = newPage("Guide", {
    emoji: "🧭",
    icon: "compass",
    description: "Everything",
    markdown: `# Version {{ version }}\n\n{{ reusable:${reusableContentId} }}\n`,
    layout: { width: "WIDE", coverSize: "BACKGROUND", cover: true, title: true, outline: false },
    cover: { fileId, fileDarkId: fileId, yPos: -4.5 },
    variables: [{ name: "version", value: "1.2" }],
    hidden: true,
    noIndex: true,
    noRobotsIndex: true,
  });
  const below = (title: string, of: Record<string, unknown>) => newPage(title, { parentId: guide.pageId, ...of }).edit;
  return [
    { setVariables: { variables: [{ name: "product", value: "Gauge" }] } },
    { createReusableContent: { reusableContentId, title: "Note", markdown: "Mind the tide.\n" } },
    guide.edit,
    below("Group", { type: "GROUP" }),
    below("Out", { type: "LINK", target: "https://example.com/" }),
    below("Back", { type: "LINK", target: `page:${guide.pageId}#top` }),
    below("Models", { type: "COMPUTED", computed: { type: "BUILTIN_OPENAPI", spec: "petstore", doc: "models" } }),
  ];
}
