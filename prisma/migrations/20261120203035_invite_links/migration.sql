-- AlterTable
ALTER TABLE "Organization" ADD COLUMN     "visitorKey" TEXT;

-- CreateTable
CREATE TABLE "InviteLink" (
    "id" TEXT COLLATE "C" NOT NULL,
    "organizationId" TEXT COLLATE "C" NOT NULL,
    "role" "Role",
    "key" TEXT NOT NULL,
    "createdById" TEXT COLLATE "C",
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expiresAt" TIMESTAMPTZ(3),

    CONSTRAINT "InviteLink_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "InviteLink_key_key" ON "InviteLink"("key");

-- CreateIndex
CREATE INDEX "InviteLink_organizationId_createdAt_id_idx" ON "InviteLink"("organizationId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "InviteLink_createdById_idx" ON "InviteLink"("createdById");

-- AddForeignKey
ALTER TABLE "InviteLink" ADD CONSTRAINT "InviteLink_organizationId_fkey" FOREIGN KEY ("organizationId") REFERENCES "Organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "InviteLink" ADD CONSTRAINT "InviteLink_createdById_fkey" FOREIGN KEY ("createdById") REFERENCES "User"("id") ON DELETE SET NULL ON UPDATE CASCADE;
