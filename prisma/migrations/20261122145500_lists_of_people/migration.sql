-- AlterEnum
ALTER TYPE "ReviewStatus" ADD VALUE 'dismissed';

-- DropIndex
DROP INDEX "ChangeRequest_createdById_idx";

-- DropIndex
DROP INDEX "Comment_postedById_idx";

-- DropIndex
DROP INDEX "Comment_reviewId_idx";

-- DropIndex
DROP INDEX "Grant_teamId_idx";

-- AlterTable
ALTER TABLE "ChangeRequest" ADD COLUMN     "organizationId" TEXT COLLATE "C";

-- AlterTable
ALTER TABLE "Comment" ADD COLUMN     "organizationId" TEXT COLLATE "C";

-- AlterTable
ALTER TABLE "Review" ADD COLUMN     "dismissedAt" TIMESTAMPTZ(3),
ADD COLUMN     "dismissedById" TEXT COLLATE "C";

UPDATE "ChangeRequest" cr SET "organizationId" = s."organizationId" FROM "Space" s WHERE s."id" = cr."spaceId";
UPDATE "Comment" c SET "organizationId" = s."organizationId" FROM "Space" s WHERE s."id" = c."spaceId";

-- CreateIndex
CREATE INDEX "ChangeRequest_organizationId_createdAt_id_idx" ON "ChangeRequest"("organizationId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "ChangeRequest_organizationId_status_createdAt_id_idx" ON "ChangeRequest"("organizationId", "status", "createdAt", "id");

-- CreateIndex
CREATE INDEX "ChangeRequest_createdById_createdAt_id_idx" ON "ChangeRequest"("createdById", "createdAt", "id");

-- CreateIndex
CREATE INDEX "Comment_organizationId_postedAt_id_idx" ON "Comment"("organizationId", "postedAt", "id");

-- CreateIndex
CREATE INDEX "Comment_organizationId_status_postedAt_id_idx" ON "Comment"("organizationId", "status", "postedAt", "id");

-- CreateIndex
CREATE INDEX "Comment_postedById_postedAt_id_idx" ON "Comment"("postedById", "postedAt", "id");

-- CreateIndex
CREATE INDEX "Comment_reviewId_postedAt_id_idx" ON "Comment"("reviewId", "postedAt", "id");

-- CreateIndex
CREATE INDEX "Grant_organizationId_id_idx" ON "Grant"("organizationId", "id");

-- CreateIndex
CREATE INDEX "Grant_teamId_id_idx" ON "Grant"("teamId", "id");

-- CreateIndex
CREATE INDEX "Review_dismissedById_idx" ON "Review"("dismissedById");

-- AddForeignKey
ALTER TABLE "Review" ADD CONSTRAINT "Review_dismissedById_fkey" FOREIGN KEY ("dismissedById") REFERENCES "User"("id") ON DELETE NO ACTION ON UPDATE CASCADE;

-- A new value of an enumeration may not be used before the commit: it is compared as text.
ALTER TABLE "Review"
  ADD CONSTRAINT "Review_dismissed_check" CHECK (("status"::text = 'dismissed') = ("dismissedAt" IS NOT NULL)),
  ADD CONSTRAINT "Review_dismissed_by_check" CHECK (("dismissedById" IS NULL) = ("dismissedAt" IS NULL));

-- The organization of a row is that of its space. The space is held, so that it is not transferred meanwhile. A space that
-- the same statement writes may come after the row: then the row gets its organization at the end of the statement.
CREATE FUNCTION "organization_of_space"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    SELECT s."organizationId" INTO NEW."organizationId" FROM "Space" s WHERE s."id" = NEW."spaceId" FOR KEY SHARE;
    RETURN NEW;
END $$;

CREATE TRIGGER "ChangeRequest_organization" BEFORE INSERT ON "ChangeRequest"
    FOR EACH ROW EXECUTE FUNCTION "organization_of_space"();

CREATE TRIGGER "Comment_organization" BEFORE INSERT ON "Comment"
    FOR EACH ROW EXECUTE FUNCTION "organization_of_space"();

CREATE FUNCTION "organization_of_new_space"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('UPDATE %I r SET "organizationId" = s."organizationId" FROM "Space" s WHERE r."id" = $1 AND s."id" = r."spaceId"',
        TG_TABLE_NAME) USING NEW."id";
    RETURN NULL;
END $$;

CREATE TRIGGER "ChangeRequest_organization_late" AFTER INSERT ON "ChangeRequest"
    FOR EACH ROW WHEN (NEW."organizationId" IS NULL) EXECUTE FUNCTION "organization_of_new_space"();

CREATE TRIGGER "Comment_organization_late" AFTER INSERT ON "Comment"
    FOR EACH ROW WHEN (NEW."organizationId" IS NULL) EXECUTE FUNCTION "organization_of_new_space"();

CREATE FUNCTION "Space_transferred"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "ChangeRequest" SET "organizationId" = NEW."organizationId" WHERE "spaceId" = NEW."id";
    UPDATE "Comment" SET "organizationId" = NEW."organizationId" WHERE "spaceId" = NEW."id";
    RETURN NULL;
END $$;

CREATE TRIGGER "Space_transferred" AFTER UPDATE OF "organizationId" ON "Space"
    FOR EACH ROW WHEN (OLD."organizationId" IS DISTINCT FROM NEW."organizationId") EXECUTE FUNCTION "Space_transferred"();
