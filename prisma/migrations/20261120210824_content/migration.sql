-- CreateEnum
CREATE TYPE "PageType" AS ENUM ('document', 'group', 'link');

-- DropIndex
DROP INDEX "Revision_spaceId_createdAt_id_idx";

-- AlterTable
ALTER TABLE "Revision" ADD COLUMN     "changeRequestId" TEXT COLLATE "C",
ADD COLUMN     "treeHash" TEXT COLLATE "C";

-- CreateTable
CREATE TABLE "ContentDocument" (
    "hash" TEXT COLLATE "C" NOT NULL,
    "markdown" TEXT NOT NULL,
    "size" INTEGER NOT NULL,

    CONSTRAINT "ContentDocument_pkey" PRIMARY KEY ("hash"),
    CONSTRAINT "ContentDocument_size_check" CHECK ("size" = octet_length("markdown"))
);

-- CreateTable
CREATE TABLE "ContentPage" (
    "hash" TEXT COLLATE "C" NOT NULL,
    "pageId" TEXT COLLATE "C" NOT NULL,
    "type" "PageType" NOT NULL,
    "title" TEXT NOT NULL,
    "slug" TEXT NOT NULL,
    "fields" JSONB NOT NULL DEFAULT '{}',
    "documentHash" TEXT COLLATE "C",
    "childrenHash" TEXT COLLATE "C",
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ContentPage_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "ContentTree" (
    "hash" TEXT COLLATE "C" NOT NULL,
    "pages" TEXT[] COLLATE "C",

    CONSTRAINT "ContentTree_pkey" PRIMARY KEY ("hash"),
    CONSTRAINT "ContentTree_pages_check" CHECK ("pages" IS NOT NULL AND cardinality("pages") > 0)
);

-- CreateIndex
CREATE INDEX "ContentPage_documentHash_idx" ON "ContentPage"("documentHash");

-- CreateIndex
CREATE INDEX "ContentPage_childrenHash_idx" ON "ContentPage"("childrenHash");

-- CreateIndex
CREATE INDEX "Revision_spaceId_changeRequestId_createdAt_id_idx" ON "Revision"("spaceId", "changeRequestId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "Revision_treeHash_idx" ON "Revision"("treeHash");

-- AddForeignKey
ALTER TABLE "Revision" ADD CONSTRAINT "Revision_changeRequest_fkey" FOREIGN KEY ("changeRequestId", "spaceId") REFERENCES "ChangeRequest"("id", "spaceId") ON DELETE CASCADE ON UPDATE NO ACTION DEFERRABLE INITIALLY DEFERRED;

-- AddForeignKey
ALTER TABLE "Revision" ADD CONSTRAINT "Revision_treeHash_fkey" FOREIGN KEY ("treeHash") REFERENCES "ContentTree"("hash") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "ContentPage" ADD CONSTRAINT "ContentPage_documentHash_fkey" FOREIGN KEY ("documentHash") REFERENCES "ContentDocument"("hash") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "ContentPage" ADD CONSTRAINT "ContentPage_childrenHash_fkey" FOREIGN KEY ("childrenHash") REFERENCES "ContentTree"("hash") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- Which of the revisions that are there were made in a change request: its active one, and the first parents of that up to where it started.
WITH RECURSIVE made("id", "changeRequestId", "startedFrom") AS (
    SELECT cr."revisionId", cr."id", cr."revisionInitialId" FROM "ChangeRequest" cr WHERE cr."revisionId" <> cr."revisionInitialId"
    UNION
    SELECT r."parents"[1], m."changeRequestId", m."startedFrom" FROM made m JOIN "Revision" r ON r."id" = m."id"
    WHERE r."parents"[1] <> m."startedFrom"
)
UPDATE "Revision" r SET "changeRequestId" = m."changeRequestId" FROM made m WHERE r."id" = m."id";
