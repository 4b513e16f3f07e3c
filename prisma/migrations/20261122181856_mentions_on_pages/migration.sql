-- DropIndex
DROP INDEX "Mention_spaceId_idx";

-- AlterTable
ALTER TABLE "Mention" ADD COLUMN     "pageId" TEXT COLLATE "C",
ALTER COLUMN "commentId" DROP NOT NULL;

-- CreateIndex
CREATE UNIQUE INDEX "Mention_spaceId_pageId_userId_key" ON "Mention"("spaceId", "pageId", "userId");

-- A mention is in a comment (or a reply to it), or on a page.
ALTER TABLE "Mention" ADD CONSTRAINT "Mention_place_check" CHECK (("commentId" IS NULL) <> ("pageId" IS NULL) AND ("replyId" IS NULL OR "commentId" IS NOT NULL));
