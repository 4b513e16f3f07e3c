-- AlterTable
ALTER TABLE "Site" ADD COLUMN     "jwksUrl" TEXT;

-- CreateTable
CREATE TABLE "SiteSigningKey" (
    "id" TEXT COLLATE "C" NOT NULL,
    "siteId" TEXT COLLATE "C" NOT NULL,
    "secret" BYTEA NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expiresAt" TIMESTAMPTZ(3),

    CONSTRAINT "SiteSigningKey_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "SiteSigningKey_siteId_createdAt_id_idx" ON "SiteSigningKey"("siteId", "createdAt", "id");

-- AddForeignKey
ALTER TABLE "SiteSigningKey" ADD CONSTRAINT "SiteSigningKey_siteId_fkey" FOREIGN KEY ("siteId") REFERENCES "Site"("id") ON DELETE CASCADE ON UPDATE CASCADE;
