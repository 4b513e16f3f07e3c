-- CreateTable
CREATE TABLE "FormerSitePath" (
    "siteId" TEXT COLLATE "C" NOT NULL,
    "sectionId" TEXT COLLATE "C" NOT NULL,
    "path" TEXT NOT NULL,
    "placeId" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "FormerSitePath_pkey" PRIMARY KEY ("siteId","sectionId","path")
);

-- AddForeignKey
ALTER TABLE "FormerSitePath" ADD CONSTRAINT "FormerSitePath_siteId_fkey" FOREIGN KEY ("siteId") REFERENCES "Site"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE FUNCTION "SiteSection_former_path"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO "FormerSitePath" ("siteId", "sectionId", "path", "placeId") VALUES (OLD."siteId", '', OLD."path", OLD."id")
    ON CONFLICT ("siteId", "sectionId", "path") DO UPDATE SET "placeId" = excluded."placeId";
    RETURN NULL;
END $$;

CREATE TRIGGER "SiteSection_former_path" AFTER UPDATE OF "path" ON "SiteSection"
    FOR EACH ROW WHEN (OLD."path" <> NEW."path") EXECUTE FUNCTION "SiteSection_former_path"();

CREATE FUNCTION "SiteSpace_former_path"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO "FormerSitePath" ("siteId", "sectionId", "path", "placeId")
    VALUES (OLD."siteId", coalesce(OLD."sectionId", ''), OLD."path", OLD."id")
    ON CONFLICT ("siteId", "sectionId", "path") DO UPDATE SET "placeId" = excluded."placeId";
    RETURN NULL;
END $$;

CREATE TRIGGER "SiteSpace_former_path" AFTER UPDATE OF "path", "sectionId" ON "SiteSpace"
    FOR EACH ROW WHEN ((OLD."path", OLD."sectionId") IS DISTINCT FROM (NEW."path", NEW."sectionId"))
    EXECUTE FUNCTION "SiteSpace_former_path"();
