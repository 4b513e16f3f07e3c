-- CreateTable
CREATE TABLE "MemberCount" (
    "id" BIGSERIAL NOT NULL,
    "organizationId" TEXT COLLATE "C" NOT NULL,
    "role" "Role",
    "disabled" BOOLEAN NOT NULL,
    "seen" BOOLEAN NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "MemberCount_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "MemberCount_organizationId_idx" ON "MemberCount"("organizationId");

-- AddForeignKey
ALTER TABLE "MemberCount" ADD CONSTRAINT "MemberCount_organizationId_fkey" FOREIGN KEY ("organizationId") REFERENCES "Organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What a statement makes of the numbers. Members that go with their organization leave no trace.
CREATE FUNCTION "count_members"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO "MemberCount" ("organizationId", "role", "disabled", "seen", "count")
    SELECT "organizationId", "role", "disabled", "lastSeenAt" IS NOT NULL, count(*) FROM came GROUP BY 1, 2, 3, 4;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO "MemberCount" ("organizationId", "role", "disabled", "seen", "count")
    SELECT "organizationId", "role", "disabled", "lastSeenAt" IS NOT NULL, -count(*) FROM went
    WHERE EXISTS (SELECT FROM "Organization" o WHERE o."id" = went."organizationId") GROUP BY 1, 2, 3, 4;
  ELSE
    INSERT INTO "MemberCount" ("organizationId", "role", "disabled", "seen", "count")
    SELECT "organizationId", "role", "disabled", "lastSeenAt" IS NOT NULL, sum(n) FROM
      (SELECT came.*, 1 AS n FROM came UNION ALL SELECT went.*, -1 FROM went) changed
    GROUP BY 1, 2, 3, 4 HAVING sum(n) <> 0;
  END IF;
  RETURN NULL;
END $$;

-- Until the end of the transaction no member comes, goes or changes.
CREATE TRIGGER "OrganizationMember_came" AFTER INSERT ON "OrganizationMember"
  REFERENCING NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION "count_members"();
CREATE TRIGGER "OrganizationMember_changed" AFTER UPDATE ON "OrganizationMember"
  REFERENCING OLD TABLE AS went NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION "count_members"();
CREATE TRIGGER "OrganizationMember_went" AFTER DELETE ON "OrganizationMember"
  REFERENCING OLD TABLE AS went FOR EACH STATEMENT EXECUTE FUNCTION "count_members"();

INSERT INTO "MemberCount" ("organizationId", "role", "disabled", "seen", "count")
SELECT "organizationId", "role", "disabled", "lastSeenAt" IS NOT NULL, count(*) FROM "OrganizationMember" GROUP BY 1, 2, 3, 4;
