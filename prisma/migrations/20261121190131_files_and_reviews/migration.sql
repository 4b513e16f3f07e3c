-- CreateEnum
CREATE TYPE "ReviewStatus" AS ENUM ('requested', 'approved', 'changes_requested');

-- AlterEnum
ALTER TYPE "PageType" ADD VALUE 'computed';

-- AlterTable
ALTER TABLE "Comment" ADD COLUMN     "documentHash" TEXT COLLATE "C",
ADD COLUMN     "reviewId" TEXT COLLATE "C";

-- AlterTable
ALTER TABLE "Revision" ADD COLUMN     "filesHash" TEXT COLLATE "C",
ADD COLUMN     "reusableContents" JSONB NOT NULL DEFAULT '{}',
ADD COLUMN     "variables" JSONB NOT NULL DEFAULT '{}';

-- CreateTable
CREATE TABLE "ContentFile" (
    "hash" TEXT COLLATE "C" NOT NULL,
    "fileId" TEXT COLLATE "C" NOT NULL,
    "name" TEXT NOT NULL,
    "contentType" TEXT NOT NULL,
    "size" INTEGER NOT NULL,
    "blob" TEXT COLLATE "C" NOT NULL,
    "key" TEXT COLLATE "C" NOT NULL,
    "width" INTEGER,
    "height" INTEGER,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ContentFile_pkey" PRIMARY KEY ("hash"),
    CONSTRAINT "ContentFile_size_check" CHECK ("size" >= 0)
);

-- CreateTable
CREATE TABLE "ContentFileList" (
    "hash" TEXT COLLATE "C" NOT NULL,
    "files" TEXT[] COLLATE "C",

    CONSTRAINT "ContentFileList_pkey" PRIMARY KEY ("hash"),
    CONSTRAINT "ContentFileList_files_check" CHECK ("files" IS NOT NULL AND cardinality("files") > 0)
);

-- CreateTable
CREATE TABLE "Review" (
    "id" TEXT COLLATE "C" NOT NULL,
    "changeRequestId" TEXT COLLATE "C" NOT NULL,
    "reviewerId" TEXT COLLATE "C" NOT NULL,
    "status" "ReviewStatus" NOT NULL,
    "message" TEXT,
    "requestedById" TEXT COLLATE "C",
    "requestedAt" TIMESTAMPTZ(3),
    "reviewedAt" TIMESTAMPTZ(3),
    "revisionId" TEXT COLLATE "C",

    CONSTRAINT "Review_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "Review_given_check" CHECK (("status" = 'requested') = ("reviewedAt" IS NULL)),
    CONSTRAINT "Review_on_check" CHECK (("reviewedAt" IS NULL) = ("revisionId" IS NULL)),
    CONSTRAINT "Review_asked_check" CHECK ("status" <> 'requested' OR "requestedAt" IS NOT NULL)
);

-- CreateIndex
CREATE INDEX "ContentFile_fileId_idx" ON "ContentFile"("fileId");

-- CreateIndex
CREATE INDEX "ContentFile_blob_idx" ON "ContentFile"("blob");

-- CreateIndex
CREATE INDEX "Review_changeRequestId_id_idx" ON "Review"("changeRequestId", "id");

-- CreateIndex
CREATE INDEX "Review_reviewerId_idx" ON "Review"("reviewerId");

-- CreateIndex
CREATE INDEX "Review_requestedById_idx" ON "Review"("requestedById");

-- CreateIndex
CREATE INDEX "Review_revisionId_idx" ON "Review"("revisionId");

-- CreateIndex
CREATE UNIQUE INDEX "Review_changeRequestId_reviewerId_key" ON "Review"("changeRequestId", "reviewerId");

-- CreateIndex
CREATE INDEX "Comment_reviewId_idx" ON "Comment"("reviewId");

-- CreateIndex
CREATE INDEX "Revision_filesHash_idx" ON "Revision"("filesHash");

-- AddForeignKey
ALTER TABLE "Revision" ADD CONSTRAINT "Revision_filesHash_fkey" FOREIGN KEY ("filesHash") REFERENCES "ContentFileList"("hash") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "Review" ADD CONSTRAINT "Review_changeRequestId_fkey" FOREIGN KEY ("changeRequestId") REFERENCES "ChangeRequest"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Review" ADD CONSTRAINT "Review_reviewerId_fkey" FOREIGN KEY ("reviewerId") REFERENCES "User"("id") ON DELETE NO ACTION ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Review" ADD CONSTRAINT "Review_requestedById_fkey" FOREIGN KEY ("requestedById") REFERENCES "User"("id") ON DELETE NO ACTION ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Review" ADD CONSTRAINT "Review_revisionId_fkey" FOREIGN KEY ("revisionId") REFERENCES "Revision"("id") ON DELETE NO ACTION ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Comment" ADD CONSTRAINT "Comment_reviewId_fkey" FOREIGN KEY ("reviewId") REFERENCES "Review"("id") ON DELETE SET NULL ON UPDATE CASCADE;
