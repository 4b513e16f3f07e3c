-- How many change requests a space has, of any status, open and draft. Kept, since lists of spaces show the numbers of
-- each: counting them was half of what such a list costs.
ALTER TABLE "Space" ADD COLUMN "changeRequestCount" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN "draftChangeRequestCount" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN "openChangeRequestCount" INTEGER NOT NULL DEFAULT 0;

-- A deleted space takes its change requests along: then nothing is updated.
CREATE FUNCTION "ChangeRequest_counted"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    sign INTEGER := CASE TG_OP WHEN 'DELETE' THEN -1 ELSE 1 END;
BEGIN
    UPDATE "Space" s SET "changeRequestCount" = s."changeRequestCount" + sign * n."all",
        "openChangeRequestCount" = s."openChangeRequestCount" + sign * n."open",
        "draftChangeRequestCount" = s."draftChangeRequestCount" + sign * n."draft"
    FROM (SELECT "spaceId", count(*)::INTEGER AS "all", (count(*) FILTER (WHERE "status" = 'open'))::INTEGER AS "open",
            (count(*) FILTER (WHERE "status" = 'draft'))::INTEGER AS "draft" FROM "changed" GROUP BY "spaceId") n
    WHERE s."id" = n."spaceId";
    RETURN NULL;
END $$;

CREATE TRIGGER "ChangeRequest_created" AFTER INSERT ON "ChangeRequest" REFERENCING NEW TABLE AS "changed"
    FOR EACH STATEMENT EXECUTE FUNCTION "ChangeRequest_counted"();

CREATE TRIGGER "ChangeRequest_deleted" AFTER DELETE ON "ChangeRequest" REFERENCING OLD TABLE AS "changed"
    FOR EACH STATEMENT EXECUTE FUNCTION "ChangeRequest_counted"();

CREATE FUNCTION "ChangeRequest_status"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "Space" SET
        "openChangeRequestCount" = "openChangeRequestCount" + (NEW."status" = 'open')::INTEGER - (OLD."status" = 'open')::INTEGER,
        "draftChangeRequestCount" = "draftChangeRequestCount" + (NEW."status" = 'draft')::INTEGER - (OLD."status" = 'draft')::INTEGER
    WHERE "id" = NEW."spaceId";
    RETURN NULL;
END $$;

CREATE TRIGGER "ChangeRequest_status" AFTER UPDATE OF "status" ON "ChangeRequest"
    FOR EACH ROW WHEN (OLD."status" <> NEW."status") EXECUTE FUNCTION "ChangeRequest_status"();
