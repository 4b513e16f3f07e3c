-- DropIndex
DROP INDEX "Comment_spaceId_pageId_idx";

-- The comments on one page, of the main content and of a change request, in the order of their lists.
CREATE INDEX "Comment_of_page" ON "Comment" ("spaceId", "pageId", "postedAt", "id") WHERE "changeRequestId" IS NULL AND "pageId" IS NOT NULL;
CREATE INDEX "Comment_of_page_in_change_request" ON "Comment" ("changeRequestId", "pageId", "postedAt", "id") WHERE "pageId" IS NOT NULL;
