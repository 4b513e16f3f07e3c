-- AlterTable
ALTER TABLE "TranslationSegment" ADD COLUMN     "usedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

-- CreateIndex
CREATE INDEX "TranslationSegment_usedAt_idx" ON "TranslationSegment"("usedAt");
