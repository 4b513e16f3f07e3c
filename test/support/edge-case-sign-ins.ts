// The sign-ins of the edge-case world.
import { newId } from "#src/base/ids.ts";
import type { Rows } from "#src/demo/rows.ts";
import type { Scene } from "#test/features/change-requests/scene.ts";
import { exampleCertificate } from "#test/features/saml/example-certificate.ts";
import { addSamlProvider } from "#test/features/saml/factory.ts";
import { addSession } from "#test/features/sessions/factory.ts";
import { edgeCaseTexts } from "#test/support/edge-case-texts.ts";

/** An identity provider with all properties, sessions, and their audit log entries. */
export function addSignIns(rows: Rows, { admin, editor, organization: { id: organizationId } }: Scene): void {
  const known = { entityID: "https://idp.example.com", ssoURL: "https://idp.example.com/sso" };
  const more = {
    logoutURL: "https://idp.example.com/out",
    certificate: exampleCertificate,
    defaultRole: "read",
  } as const;
  addSamlProvider(rows, { organizationId, ...known, ...more, status: "active" });
  addSamlProvider(rows, { organizationId });
  for (const { id: userId } of [admin, editor]) {
    const { id: subjectId } = addSession(rows, { userId });
    const where = {
      address: "192.0.2.1",
      agent: edgeCaseTexts[0] ?? "",
      createdAt: new Date(Date.UTC(2026, 1, 3, 4, 5, 6, 70)),
    };
    const entry = { organizationId, actorId: userId, subjectId, payload: { way: "email" }, ...where };
    rows.add("AuditEntry", { id: newId("AuditEntry"), type: "session.opened", ...entry });
  }
}
