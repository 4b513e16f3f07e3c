-- AlterTable
ALTER TABLE "Comment" ADD COLUMN     "lastReplyAt" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "OrganizationMember" ADD COLUMN     "sortName" TEXT COLLATE "C" NOT NULL DEFAULT '';

-- AlterTable
ALTER TABLE "TeamMember" ADD COLUMN     "sortName" TEXT COLLATE "C" NOT NULL DEFAULT '';

-- Names of users in lower case, where lists of members are sorted by them. Whoever writes a membership waits for a new
-- name of the user that is under way, and the other way round, so that none is missed.
CREATE FUNCTION "membership_name"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW."sortName" := coalesce((SELECT lower(u."displayName") FROM "User" u WHERE u."id" = NEW."userId" FOR SHARE), '');
    RETURN NEW;
END $$;

CREATE TRIGGER "OrganizationMember_name" BEFORE INSERT ON "OrganizationMember"
    FOR EACH ROW EXECUTE FUNCTION "membership_name"();
CREATE TRIGGER "TeamMember_name" BEFORE INSERT ON "TeamMember"
    FOR EACH ROW EXECUTE FUNCTION "membership_name"();

-- Also of a new user: rows of both tables may come in one statement, in any order.
CREATE FUNCTION "User_name"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "OrganizationMember" SET "sortName" = lower(NEW."displayName")
    WHERE "userId" = NEW."id" AND "sortName" <> lower(NEW."displayName");
    UPDATE "TeamMember" SET "sortName" = lower(NEW."displayName")
    WHERE "userId" = NEW."id" AND "sortName" <> lower(NEW."displayName");
    RETURN NULL;
END $$;

CREATE TRIGGER "User_name" AFTER INSERT OR UPDATE OF "displayName" ON "User"
    FOR EACH ROW EXECUTE FUNCTION "User_name"();

UPDATE "OrganizationMember" m SET "sortName" = lower(u."displayName") FROM "User" u WHERE u."id" = m."userId";
UPDATE "TeamMember" m SET "sortName" = lower(u."displayName") FROM "User" u WHERE u."id" = m."userId";

-- The newest reply of a comment. A comment that goes takes its replies along: then there is nothing to keep.
CREATE FUNCTION "CommentReply_posted"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "Comment" c SET "lastReplyAt" = greatest(c."lastReplyAt", n."postedAt")
    FROM (SELECT "commentId", max("postedAt") AS "postedAt" FROM "new" GROUP BY "commentId") n
    WHERE c."id" = n."commentId";
    RETURN NULL;
END $$;

CREATE TRIGGER "CommentReply_posted" AFTER INSERT ON "CommentReply" REFERENCING NEW TABLE AS "new"
    FOR EACH STATEMENT EXECUTE FUNCTION "CommentReply_posted"();

CREATE FUNCTION "CommentReply_deleted"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "Comment" c SET "lastReplyAt" = (SELECT max(r."postedAt") FROM "CommentReply" r WHERE r."commentId" = c."id")
    WHERE c."id" IN (SELECT "commentId" FROM "old");
    RETURN NULL;
END $$;

CREATE TRIGGER "CommentReply_deleted" AFTER DELETE ON "CommentReply" REFERENCING OLD TABLE AS "old"
    FOR EACH STATEMENT EXECUTE FUNCTION "CommentReply_deleted"();

UPDATE "Comment" c SET "lastReplyAt" = r."postedAt"
FROM (SELECT "commentId", max("postedAt") AS "postedAt" FROM "CommentReply" GROUP BY "commentId") r
WHERE r."commentId" = c."id";

-- CreateIndex
CREATE INDEX "OrganizationMember_organizationId_sortName_id_idx" ON "OrganizationMember"("organizationId", "sortName", "id");

-- CreateIndex
CREATE INDEX "TeamMember_teamId_sortName_id_idx" ON "TeamMember"("teamId", "sortName", "id");

-- CreateIndex
CREATE INDEX "Team_organizationId_createdAt_id_idx" ON "Team"("organizationId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "ChangeRequest_spaceId_createdAt_id_idx" ON "ChangeRequest"("spaceId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "ChangeRequest_spaceId_updatedAt_id_idx" ON "ChangeRequest"("spaceId", "updatedAt", "id");

-- CreateIndex
CREATE INDEX "ChangeRequest_organizationId_updatedAt_id_idx" ON "ChangeRequest"("organizationId", "updatedAt", "id");

-- CreateIndex
CREATE INDEX "ChangeRequest_createdById_updatedAt_id_idx" ON "ChangeRequest"("createdById", "updatedAt", "id");

-- CreateIndex
CREATE INDEX "Collection_organizationId_position_id_idx" ON "Collection"("organizationId", "position", "id");

-- CreateIndex
CREATE INDEX "Collection_organizationId_createdAt_id_idx" ON "Collection"("organizationId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "Collection_organizationId_updatedAt_id_idx" ON "Collection"("organizationId", "updatedAt", "id");

-- CreateIndex
CREATE INDEX "Collection_parentId_createdAt_id_idx" ON "Collection"("parentId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "Collection_parentId_updatedAt_id_idx" ON "Collection"("parentId", "updatedAt", "id");

-- Orders that Prisma's models cannot say: titles in any letter case, byte by byte in every database; what is at the top
-- (a null in the middle of an index orders nothing); spaces that are not deleted; the last activity of a comment.
CREATE INDEX "Collection_at_top" ON "Collection" ("organizationId", "position", "id") WHERE "parentId" IS NULL;
CREATE INDEX "Collection_title" ON "Collection" ("organizationId", (lower("title")) COLLATE "C", "id");
CREATE INDEX "Collection_title_in_parent" ON "Collection" ("parentId", (lower("title")) COLLATE "C", "id");
CREATE INDEX "Space_at_top" ON "Space" ("organizationId", "position", "id") WHERE "parentId" IS NULL AND "deletedAt" IS NULL;
CREATE INDEX "Space_position" ON "Space" ("organizationId", "position", "id") WHERE "deletedAt" IS NULL;
CREATE INDEX "Space_title" ON "Space" ("organizationId", (lower("title")) COLLATE "C", "id") WHERE "deletedAt" IS NULL;
CREATE INDEX "Space_created" ON "Space" ("organizationId", "createdAt", "id") WHERE "deletedAt" IS NULL;
CREATE INDEX "Space_updated" ON "Space" ("organizationId", "updatedAt", "id") WHERE "deletedAt" IS NULL;
CREATE INDEX "Space_title_in_parent" ON "Space" ("parentId", (lower("title")) COLLATE "C", "id") WHERE "deletedAt" IS NULL;
CREATE INDEX "Space_created_in_parent" ON "Space" ("parentId", "createdAt", "id") WHERE "deletedAt" IS NULL;
CREATE INDEX "Space_updated_in_parent" ON "Space" ("parentId", "updatedAt", "id") WHERE "deletedAt" IS NULL;
CREATE INDEX "Space_deleted" ON "Space" ("organizationId", "deletedAt", "id") WHERE "deletedAt" IS NOT NULL;
CREATE INDEX "Site_title" ON "Site" ("organizationId", (lower("title")) COLLATE "C", "id");
CREATE INDEX "Team_title" ON "Team" ("organizationId", (lower("title")) COLLATE "C", "id");
CREATE INDEX "Comment_activity_in_space" ON "Comment" ("spaceId", (coalesce("lastReplyAt", "postedAt")), "id") WHERE "changeRequestId" IS NULL;
CREATE INDEX "Comment_activity_in_change_request" ON "Comment" ("changeRequestId", (coalesce("lastReplyAt", "postedAt")), "id") WHERE "changeRequestId" IS NOT NULL;
CREATE INDEX "Comment_activity_in_organization" ON "Comment" ("organizationId", (coalesce("lastReplyAt", "postedAt")), "id");
CREATE INDEX "Comment_activity_of_author" ON "Comment" ("postedById", (coalesce("lastReplyAt", "postedAt")), "id");
CREATE INDEX "Reaction_in_order" ON "Reaction" ((coalesce("commentId", "replyId")), "emoji", "reactedAt", "id");
