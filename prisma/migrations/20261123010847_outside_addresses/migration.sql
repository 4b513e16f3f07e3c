-- CreateEnum
CREATE TYPE "OutsideLinkStatus" AS ENUM ('unchecked', 'ok', 'broken');

-- AlterTable
ALTER TABLE "Organization" ADD COLUMN     "checksOutsideLinks" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "OutsideAddress" (
    "url" TEXT NOT NULL,
    "status" "OutsideLinkStatus" NOT NULL,
    "reason" TEXT,
    "checkedAt" TIMESTAMPTZ(3),
    "failures" INTEGER NOT NULL DEFAULT 0,
    "dueAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "OutsideAddress_pkey" PRIMARY KEY ("url")
);

-- CreateIndex
CREATE INDEX "OutsideAddress_dueAt_idx" ON "OutsideAddress"("dueAt");

-- A key of an index has at most some 2,700 bytes: longer addresses are not looked at.
ALTER TABLE "OutsideAddress" ADD CONSTRAINT "OutsideAddress_url_length" CHECK (octet_length("url") <= 2000);
