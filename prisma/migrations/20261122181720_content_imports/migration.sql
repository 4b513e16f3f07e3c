-- CreateEnum
CREATE TYPE "ImportSource" AS ENUM ('website', 'markdown', 'openapi');

-- CreateEnum
CREATE TYPE "ImportState" AS ENUM ('pending', 'running', 'done', 'failed', 'cancelled');

-- CreateTable
CREATE TABLE "ContentImport" (
    "id" TEXT COLLATE "C" NOT NULL,
    "spaceId" TEXT COLLATE "C" NOT NULL,
    "changeRequestId" TEXT COLLATE "C",
    "createdById" TEXT COLLATE "C" NOT NULL,
    "tokenId" TEXT COLLATE "C" NOT NULL,
    "url" TEXT NOT NULL,
    "source" "ImportSource" NOT NULL,
    "settings" JSONB NOT NULL,
    "state" "ImportState" NOT NULL DEFAULT 'pending',
    "found" INTEGER NOT NULL DEFAULT 0,
    "read" INTEGER NOT NULL DEFAULT 0,
    "written" INTEGER NOT NULL DEFAULT 0,
    "error" TEXT,
    "result" JSONB,
    "revisionId" TEXT COLLATE "C",
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "startedAt" TIMESTAMPTZ(3),
    "endedAt" TIMESTAMPTZ(3),
    "lease" TEXT,
    "leaseUntil" TIMESTAMPTZ(3),

    CONSTRAINT "ContentImport_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "ContentImport_spaceId_createdAt_id_idx" ON "ContentImport"("spaceId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "ContentImport_changeRequestId_idx" ON "ContentImport"("changeRequestId");

-- CreateIndex
CREATE INDEX "ContentImport_createdById_idx" ON "ContentImport"("createdById");

-- CreateIndex
CREATE INDEX "ContentImport_revisionId_idx" ON "ContentImport"("revisionId");

-- CreateIndex
CREATE INDEX "ContentImport_state_leaseUntil_idx" ON "ContentImport"("state", "leaseUntil");

-- AddForeignKey
ALTER TABLE "ContentImport" ADD CONSTRAINT "ContentImport_spaceId_fkey" FOREIGN KEY ("spaceId") REFERENCES "Space"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ContentImport" ADD CONSTRAINT "ContentImport_changeRequestId_fkey" FOREIGN KEY ("changeRequestId") REFERENCES "ChangeRequest"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ContentImport" ADD CONSTRAINT "ContentImport_createdById_fkey" FOREIGN KEY ("createdById") REFERENCES "User"("id") ON DELETE NO ACTION ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ContentImport" ADD CONSTRAINT "ContentImport_revisionId_fkey" FOREIGN KEY ("revisionId") REFERENCES "Revision"("id") ON DELETE SET NULL ON UPDATE CASCADE;
