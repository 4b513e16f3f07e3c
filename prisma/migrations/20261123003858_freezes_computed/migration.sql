-- AlterTable
ALTER TABLE "Space" ADD COLUMN     "freezesComputed" BOOLEAN NOT NULL DEFAULT false;

-- Computed pages are looked for after each change of what they are made from.
CREATE INDEX "PresentPage_computed" ON "PresentPage" ("spaceId") WHERE "type" = 'computed';
