-- AlterTable
ALTER TABLE "Site" ADD COLUMN     "publishedAt" TIMESTAMPTZ(3),
ADD COLUMN     "publishedById" TEXT COLLATE "C",
ADD COLUMN     "structureVersion" INTEGER NOT NULL DEFAULT 0;

-- CreateIndex
CREATE INDEX "Site_publishedById_idx" ON "Site"("publishedById");

-- CreateIndex
CREATE INDEX "SiteSection_siteId_isDefault_position_id_idx" ON "SiteSection"("siteId", "isDefault" DESC, "position", "id");

-- CreateIndex
CREATE INDEX "SiteSpace_siteId_sectionId_isDefault_position_id_idx" ON "SiteSpace"("siteId", "sectionId", "isDefault" DESC, "position", "id");

-- AddForeignKey
ALTER TABLE "Site" ADD CONSTRAINT "Site_publishedById_fkey" FOREIGN KEY ("publishedById") REFERENCES "User"("id") ON DELETE SET NULL ON UPDATE CASCADE;


-- One order of the groups and sections of a site, where each had its own: a group comes right before the sections in it, where the first of them was; empty
-- groups come last. The positions are fractional indexes: c and three digits to the base of 62.
WITH "top" AS (
  SELECT g."id", g."siteId", g."id" AS "topId", 0 AS "level", g."position",
    coalesce((SELECT min(s."position") FROM "SiteSection" s WHERE s."sectionGroupId" = g."id"), '~') COLLATE "C" AS "first",
    g."position" COLLATE "C" AS "own"
  FROM "SiteSectionGroup" g
), "entry" AS (
  SELECT * FROM "top"
  UNION ALL
  SELECT s."id", s."siteId", coalesce(t."id", s."id"), 1, s."position", coalesce(t."first", s."position"), coalesce(t."own", '')
  FROM "SiteSection" s LEFT JOIN "top" t ON t."id" = s."sectionGroupId"
), "numbered" AS (
  SELECT "id", row_number() OVER (PARTITION BY "siteId"
    ORDER BY "first" COLLATE "C", "own" COLLATE "C", "topId", "level", "position" COLLATE "C", "id")::int AS "n" FROM "entry"
), "placed" AS (
  SELECT "id", 'c' || substr("digits", "n" / 3844 % 62 + 1, 1) || substr("digits", "n" / 62 % 62 + 1, 1) || substr("digits", "n" % 62 + 1, 1) AS "position"
  FROM "numbered", (SELECT '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz' AS "digits") d
), "groups" AS (
  UPDATE "SiteSectionGroup" t SET "position" = p."position" FROM "placed" p WHERE p."id" = t."id"
)
UPDATE "SiteSection" t SET "position" = p."position" FROM "placed" p WHERE p."id" = t."id";

-- One order of the site spaces of a site: those at its root, then those of each section.
WITH "numbered" AS (
  SELECT s."id", row_number() OVER (PARTITION BY s."siteId"
    ORDER BY x."position" COLLATE "C" NULLS FIRST, s."position" COLLATE "C", s."id")::int AS "n"
  FROM "SiteSpace" s LEFT JOIN "SiteSection" x ON x."id" = s."sectionId"
)
UPDATE "SiteSpace" t SET "position" =
  'c' || substr("digits", "n" / 3844 % 62 + 1, 1) || substr("digits", "n" / 62 % 62 + 1, 1) || substr("digits", "n" % 62 + 1, 1)
FROM "numbered" p, (SELECT '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz' AS "digits") d WHERE p."id" = t."id";
