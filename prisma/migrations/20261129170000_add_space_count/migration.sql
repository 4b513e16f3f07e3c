-- How many change requests and open comments on its main content a space has. Kept, since lists of spaces show these
-- numbers of each: counting them was a third of what such a list costs. In a row of their own: in that of the space, who
-- posts a comment would wait for who imports content.
CREATE TABLE "SpaceCount" (
    "spaceId" TEXT COLLATE "C" NOT NULL,
    "changeRequests" INTEGER NOT NULL DEFAULT 0,
    "openChangeRequests" INTEGER NOT NULL DEFAULT 0,
    "draftChangeRequests" INTEGER NOT NULL DEFAULT 0,
    "openComments" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "SpaceCount_pkey" PRIMARY KEY ("spaceId"),
    CONSTRAINT "SpaceCount_spaceId_fkey" FOREIGN KEY ("spaceId") REFERENCES "Space"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE FUNCTION "ChangeRequest_created"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO "SpaceCount" AS c ("spaceId", "changeRequests", "openChangeRequests", "draftChangeRequests")
    SELECT n."spaceId", count(*), count(*) FILTER (WHERE n."status" = 'open'), count(*) FILTER (WHERE n."status" = 'draft')
    FROM "new" n GROUP BY n."spaceId" ORDER BY n."spaceId"
    ON CONFLICT ("spaceId") DO UPDATE SET "changeRequests" = c."changeRequests" + excluded."changeRequests",
        "openChangeRequests" = c."openChangeRequests" + excluded."openChangeRequests",
        "draftChangeRequests" = c."draftChangeRequests" + excluded."draftChangeRequests";
    RETURN NULL;
END $$;

CREATE TRIGGER "ChangeRequest_created" AFTER INSERT ON "ChangeRequest" REFERENCING NEW TABLE AS "new"
    FOR EACH STATEMENT EXECUTE FUNCTION "ChangeRequest_created"();

-- A deleted space takes its change requests, comments and numbers along: then nothing is updated.
CREATE FUNCTION "ChangeRequest_deleted"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "SpaceCount" c SET "changeRequests" = c."changeRequests" - o."all",
        "openChangeRequests" = c."openChangeRequests" - o."open", "draftChangeRequests" = c."draftChangeRequests" - o."draft"
    FROM (SELECT "spaceId", count(*) AS "all", count(*) FILTER (WHERE "status" = 'open') AS "open",
            count(*) FILTER (WHERE "status" = 'draft') AS "draft" FROM "old" GROUP BY "spaceId") o
    WHERE c."spaceId" = o."spaceId";
    RETURN NULL;
END $$;

CREATE TRIGGER "ChangeRequest_deleted" AFTER DELETE ON "ChangeRequest" REFERENCING OLD TABLE AS "old"
    FOR EACH STATEMENT EXECUTE FUNCTION "ChangeRequest_deleted"();

CREATE FUNCTION "ChangeRequest_status"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "SpaceCount" SET
        "openChangeRequests" = "openChangeRequests" + (NEW."status" = 'open')::INTEGER - (OLD."status" = 'open')::INTEGER,
        "draftChangeRequests" = "draftChangeRequests" + (NEW."status" = 'draft')::INTEGER - (OLD."status" = 'draft')::INTEGER
    WHERE "spaceId" = NEW."spaceId";
    RETURN NULL;
END $$;

CREATE TRIGGER "ChangeRequest_status" AFTER UPDATE OF "status" ON "ChangeRequest"
    FOR EACH ROW WHEN (OLD."status" <> NEW."status") EXECUTE FUNCTION "ChangeRequest_status"();

CREATE FUNCTION "Comment_posted"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO "SpaceCount" AS c ("spaceId", "openComments")
    SELECT n."spaceId", count(*) FROM "new" n WHERE n."changeRequestId" IS NULL AND n."status" = 'open'
    GROUP BY n."spaceId" ORDER BY n."spaceId"
    ON CONFLICT ("spaceId") DO UPDATE SET "openComments" = c."openComments" + excluded."openComments";
    RETURN NULL;
END $$;

CREATE TRIGGER "Comment_posted" AFTER INSERT ON "Comment" REFERENCING NEW TABLE AS "new"
    FOR EACH STATEMENT EXECUTE FUNCTION "Comment_posted"();

CREATE FUNCTION "Comment_deleted"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "SpaceCount" c SET "openComments" = c."openComments" - o."count"
    FROM (SELECT "spaceId", count(*) AS "count" FROM "old" WHERE "changeRequestId" IS NULL AND "status" = 'open' GROUP BY "spaceId") o
    WHERE c."spaceId" = o."spaceId";
    RETURN NULL;
END $$;

CREATE TRIGGER "Comment_deleted" AFTER DELETE ON "Comment" REFERENCING OLD TABLE AS "old"
    FOR EACH STATEMENT EXECUTE FUNCTION "Comment_deleted"();

CREATE FUNCTION "Comment_status"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "SpaceCount" SET "openComments" = "openComments" + CASE WHEN NEW."status" = 'open' THEN 1 ELSE -1 END
    WHERE "spaceId" = NEW."spaceId";
    RETURN NULL;
END $$;

CREATE TRIGGER "Comment_status" AFTER UPDATE OF "status" ON "Comment"
    FOR EACH ROW WHEN (NEW."changeRequestId" IS NULL AND OLD."status" <> NEW."status") EXECUTE FUNCTION "Comment_status"();
