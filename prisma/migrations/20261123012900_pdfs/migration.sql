-- CreateTable
CREATE TABLE "ContentPdf" (
    "id" TEXT COLLATE "C" NOT NULL,
    "revisionId" TEXT COLLATE "C" NOT NULL,
    "variant" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "blob" TEXT,
    "size" INTEGER,
    "lease" TEXT,
    "leaseUntil" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ContentPdf_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "ContentPdf_blob_idx" ON "ContentPdf"("blob");

-- CreateIndex
CREATE UNIQUE INDEX "ContentPdf_revisionId_variant_key" ON "ContentPdf"("revisionId", "variant");

-- AddForeignKey
ALTER TABLE "ContentPdf" ADD CONSTRAINT "ContentPdf_revisionId_fkey" FOREIGN KEY ("revisionId") REFERENCES "Revision"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- It is there, or somebody makes it.
ALTER TABLE "ContentPdf" ADD CONSTRAINT "ContentPdf_made_check"
  CHECK (("blob" IS NULL) = ("size" IS NULL) AND ("blob" IS NULL) = ("lease" IS NOT NULL) AND ("blob" IS NULL) = ("leaseUntil" IS NOT NULL));
