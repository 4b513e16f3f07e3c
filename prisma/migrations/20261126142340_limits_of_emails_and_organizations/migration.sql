-- AlterTable
ALTER TABLE "Organization" ADD COLUMN     "createdById" TEXT COLLATE "C";

-- AlterTable
ALTER TABLE "SignInLink" ADD COLUMN     "isSent" BOOLEAN NOT NULL DEFAULT true;

-- CreateTable
CREATE TABLE "InvitationEmail" (
    "id" BIGSERIAL NOT NULL,
    "email" TEXT NOT NULL,
    "senderId" TEXT COLLATE "C" NOT NULL,
    "organizationId" TEXT COLLATE "C" NOT NULL,
    "sentAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "InvitationEmail_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "InvitationEmail_email_sentAt_idx" ON "InvitationEmail"("email", "sentAt");

-- CreateIndex
CREATE INDEX "InvitationEmail_senderId_sentAt_idx" ON "InvitationEmail"("senderId", "sentAt");

-- CreateIndex
CREATE INDEX "InvitationEmail_organizationId_sentAt_idx" ON "InvitationEmail"("organizationId", "sentAt");

-- CreateIndex
CREATE INDEX "InvitationEmail_sentAt_idx" ON "InvitationEmail"("sentAt");

-- CreateIndex
CREATE INDEX "Organization_createdById_idx" ON "Organization"("createdById");

-- The audit log knows who created an organization.
UPDATE "Organization" o SET "createdById" = a."actorId"
FROM "AuditEntry" a WHERE a."organizationId" = o.id AND a.type = 'organization.created';
