-- CreateTable
CREATE TABLE "EmailDomain" (
    "organizationId" TEXT COLLATE "C" NOT NULL,
    "domain" TEXT NOT NULL,
    "verifiedDomain" TEXT,
    "claimedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "checkedAt" TIMESTAMPTZ(3),
    "verifiedAt" TIMESTAMPTZ(3),
    "missingSince" TIMESTAMPTZ(3),
    "dueAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "EmailDomain_pkey" PRIMARY KEY ("organizationId","domain")
);

-- CreateIndex
CREATE UNIQUE INDEX "EmailDomain_verifiedDomain_key" ON "EmailDomain"("verifiedDomain");

-- CreateIndex
CREATE INDEX "EmailDomain_dueAt_idx" ON "EmailDomain"("dueAt");

-- AddForeignKey
ALTER TABLE "EmailDomain" ADD CONSTRAINT "EmailDomain_organizationId_fkey" FOREIGN KEY ("organizationId") REFERENCES "Organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "EmailDomain" ADD CONSTRAINT "EmailDomain_verifiedDomain_claimed" CHECK ("verifiedDomain" = "domain");

-- Nobody has shown yet whose the e-mail domains are that organizations have. Reserved ones never count.
INSERT INTO "EmailDomain" ("organizationId", "domain")
  SELECT DISTINCT o.id, d.domain FROM "Organization" o CROSS JOIN LATERAL unnest(o."emailDomains") d(domain)
  WHERE d.domain !~ '(^|\.)(alt|arpa|example|internal|invalid|local|localhost|onion|test)$';

-- Where single sign-on was enforced by such a domain, it stays so for those who are members now.
UPDATE "OrganizationMember" m SET "sso" = true FROM "Organization" o, "User" u
  WHERE o.id = m."organizationId" AND u.id = m."userId" AND o."sso" AND NOT m."sso"
  AND m."role" IS DISTINCT FROM 'admin' AND split_part(u.email, '@', 2) = ANY (o."emailDomains");

-- Addresses that receive no e-mail are those of accounts that docgraph makes: each has its own, and nobody else has one.
UPDATE "User" SET email = id || '@integrations.invalid' WHERE email ~ '^ins_[0-9a-z]{26}@integrations\.invalid$';
UPDATE "User" SET email = id || '@saml.invalid' WHERE email ~ '(@|\.)invalid$' AND email NOT IN
  (id || '@saml.invalid', id || '@service.invalid', id || '@integrations.invalid');
