-- DropIndex
DROP INDEX "ChangeRequest_spaceId_createdById_number_idx";

-- DropIndex
DROP INDEX "ChangeRequest_spaceId_createdById_status_number_idx";

-- CreateTable
CREATE TABLE "ChangeRequestContributor" (
    "changeRequestId" TEXT COLLATE "C" NOT NULL,
    "userId" TEXT COLLATE "C" NOT NULL,
    "spaceId" TEXT COLLATE "C" NOT NULL,
    "number" INTEGER NOT NULL,
    "status" "ChangeRequestStatus" NOT NULL,

    CONSTRAINT "ChangeRequestContributor_pkey" PRIMARY KEY ("changeRequestId","userId")
);

-- CreateIndex
CREATE INDEX "ChangeRequestContributor_spaceId_userId_number_idx" ON "ChangeRequestContributor"("spaceId", "userId", "number");

-- CreateIndex
CREATE INDEX "ChangeRequestContributor_spaceId_userId_status_number_idx" ON "ChangeRequestContributor"("spaceId", "userId", "status", "number");

-- CreateIndex
CREATE INDEX "ChangeRequestContributor_userId_idx" ON "ChangeRequestContributor"("userId");

-- CreateIndex
CREATE UNIQUE INDEX "ChangeRequest_id_spaceId_number_status_key" ON "ChangeRequest"("id", "spaceId", "number", "status");

-- AddForeignKey
ALTER TABLE "ChangeRequestContributor" ADD CONSTRAINT "ChangeRequestContributor_changeRequest_fkey" FOREIGN KEY ("changeRequestId", "spaceId", "number", "status") REFERENCES "ChangeRequest"("id", "spaceId", "number", "status") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ChangeRequestContributor" ADD CONSTRAINT "ChangeRequestContributor_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Rows of the two tables may come in any order: each finds what is there of the other one.
CREATE FUNCTION "ChangeRequest_contributors"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO "ChangeRequestContributor" ("changeRequestId", "userId", "spaceId", "number", "status")
    SELECT NEW."id", p."userId", NEW."spaceId", NEW."number", NEW."status" FROM (
        SELECT NEW."createdById" UNION
        SELECT r."authorId" FROM "Revision" r
        WHERE r."changeRequestId" = NEW."id" AND r."spaceId" = NEW."spaceId" AND r."authorId" IS NOT NULL
    ) p("userId") ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;

CREATE TRIGGER "ChangeRequest_contributors" AFTER INSERT ON "ChangeRequest"
    FOR EACH ROW EXECUTE FUNCTION "ChangeRequest_contributors"();

CREATE FUNCTION "Revision_contributor"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO "ChangeRequestContributor" ("changeRequestId", "userId", "spaceId", "number", "status")
    SELECT cr."id", NEW."authorId", cr."spaceId", cr."number", cr."status" FROM "ChangeRequest" cr
    WHERE cr."id" = NEW."changeRequestId" FOR KEY SHARE
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;

CREATE TRIGGER "Revision_contributor" AFTER INSERT ON "Revision"
    FOR EACH ROW WHEN (NEW."changeRequestId" IS NOT NULL AND NEW."authorId" IS NOT NULL)
    EXECUTE FUNCTION "Revision_contributor"();

INSERT INTO "ChangeRequestContributor" ("changeRequestId", "userId", "spaceId", "number", "status")
SELECT cr."id", p."userId", cr."spaceId", cr."number", cr."status" FROM "ChangeRequest" cr JOIN (
    SELECT "id", "createdById" FROM "ChangeRequest" UNION
    SELECT "changeRequestId", "authorId" FROM "Revision" WHERE "changeRequestId" IS NOT NULL AND "authorId" IS NOT NULL
) p("id", "userId") ON p."id" = cr."id";
