-- CreateEnum
CREATE TYPE "Language" AS ENUM ('en', 'fr', 'de', 'es', 'it', 'pt', 'pt_br', 'ru', 'ja', 'zh', 'zh_tw', 'yue', 'ko', 'ar', 'hi', 'nl', 'pl', 'tr', 'sv', 'no', 'da', 'fi', 'el', 'cs', 'hu', 'ro', 'th', 'vi', 'id', 'ms', 'he', 'uk', 'sk', 'bg', 'hr', 'lt', 'lv', 'et', 'sl');

-- CreateEnum
CREATE TYPE "TranslationStatus" AS ENUM ('pending', 'running', 'completed', 'failed');

-- CreateTable
CREATE TABLE "Translation" (
    "id" TEXT COLLATE "C" NOT NULL,
    "organizationId" TEXT COLLATE "C" NOT NULL,
    "sourceSpaceId" TEXT COLLATE "C" NOT NULL,
    "sourceLanguage" "Language" NOT NULL,
    "language" "Language" NOT NULL,
    "instructions" TEXT NOT NULL DEFAULT '',
    "autoUpdate" BOOLEAN NOT NULL DEFAULT true,
    "createdById" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "status" "TranslationStatus" NOT NULL DEFAULT 'pending',
    "error" TEXT,
    "warnings" JSONB NOT NULL DEFAULT '[]',
    "resultSpaceId" TEXT COLLATE "C",
    "resultRevisionId" TEXT COLLATE "C",
    "engineRevisionId" TEXT COLLATE "C",
    "engineTreeHash" TEXT COLLATE "C",
    "sourceRevisionId" TEXT COLLATE "C",
    "dueAt" TIMESTAMPTZ(3),
    "failures" INTEGER NOT NULL DEFAULT 0,
    "startedAt" TIMESTAMPTZ(3),
    "allPages" INTEGER NOT NULL DEFAULT 0,
    "donePages" INTEGER NOT NULL DEFAULT 0,
    "lease" TEXT,
    "leaseUntil" TIMESTAMPTZ(3),
    "runs" INTEGER NOT NULL DEFAULT 0,
    "totalWords" INTEGER NOT NULL DEFAULT 0,
    "totalPages" INTEGER NOT NULL DEFAULT 0,
    "totalSeconds" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "latestWords" INTEGER NOT NULL DEFAULT 0,
    "latestPages" INTEGER NOT NULL DEFAULT 0,
    "latestSeconds" DOUBLE PRECISION NOT NULL DEFAULT 0,

    CONSTRAINT "Translation_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "TranslatedPage" (
    "translationId" TEXT COLLATE "C" NOT NULL,
    "sourcePageId" TEXT COLLATE "C" NOT NULL,
    "pageId" TEXT COLLATE "C" NOT NULL,
    "sourceHash" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "TranslatedPage_pkey" PRIMARY KEY ("translationId","sourcePageId")
);

-- CreateTable
CREATE TABLE "TranslationSegment" (
    "organizationId" TEXT COLLATE "C" NOT NULL,
    "hash" TEXT COLLATE "C" NOT NULL,
    "text" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "TranslationSegment_pkey" PRIMARY KEY ("organizationId","hash")
);

-- CreateTable
CREATE TABLE "TranslationWords" (
    "organizationId" TEXT COLLATE "C" NOT NULL,
    "month" DATE NOT NULL,
    "words" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "TranslationWords_pkey" PRIMARY KEY ("organizationId","month")
);

-- CreateTable
CREATE TABLE "GlossaryTerm" (
    "id" TEXT COLLATE "C" NOT NULL,
    "organizationId" TEXT COLLATE "C" NOT NULL,
    "term" TEXT NOT NULL,
    "translations" JSONB NOT NULL DEFAULT '{}',
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "GlossaryTerm_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "Translation_resultSpaceId_key" ON "Translation"("resultSpaceId");

-- CreateIndex
CREATE INDEX "Translation_organizationId_createdAt_id_idx" ON "Translation"("organizationId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "Translation_createdById_idx" ON "Translation"("createdById");

-- CreateIndex
CREATE INDEX "Translation_resultRevisionId_idx" ON "Translation"("resultRevisionId");

-- CreateIndex
CREATE INDEX "Translation_engineRevisionId_idx" ON "Translation"("engineRevisionId");

-- CreateIndex
CREATE INDEX "Translation_dueAt_idx" ON "Translation"("dueAt");

-- CreateIndex
CREATE UNIQUE INDEX "Translation_sourceSpaceId_language_key" ON "Translation"("sourceSpaceId", "language");

-- CreateIndex
CREATE INDEX "TranslatedPage_pageId_idx" ON "TranslatedPage"("pageId");

-- CreateIndex
CREATE INDEX "GlossaryTerm_organizationId_createdAt_id_idx" ON "GlossaryTerm"("organizationId", "createdAt", "id");

-- CreateIndex
CREATE UNIQUE INDEX "GlossaryTerm_organizationId_term_key" ON "GlossaryTerm"("organizationId", "term");

-- AddForeignKey
ALTER TABLE "Translation" ADD CONSTRAINT "Translation_organizationId_fkey" FOREIGN KEY ("organizationId") REFERENCES "Organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Translation" ADD CONSTRAINT "Translation_sourceSpaceId_fkey" FOREIGN KEY ("sourceSpaceId") REFERENCES "Space"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Translation" ADD CONSTRAINT "Translation_resultSpaceId_fkey" FOREIGN KEY ("resultSpaceId") REFERENCES "Space"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Translation" ADD CONSTRAINT "Translation_createdById_fkey" FOREIGN KEY ("createdById") REFERENCES "User"("id") ON DELETE NO ACTION ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Translation" ADD CONSTRAINT "Translation_resultRevisionId_fkey" FOREIGN KEY ("resultRevisionId") REFERENCES "Revision"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Translation" ADD CONSTRAINT "Translation_engineRevisionId_fkey" FOREIGN KEY ("engineRevisionId") REFERENCES "Revision"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "TranslatedPage" ADD CONSTRAINT "TranslatedPage_translationId_fkey" FOREIGN KEY ("translationId") REFERENCES "Translation"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "TranslationSegment" ADD CONSTRAINT "TranslationSegment_organizationId_fkey" FOREIGN KEY ("organizationId") REFERENCES "Organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "TranslationWords" ADD CONSTRAINT "TranslationWords_organizationId_fkey" FOREIGN KEY ("organizationId") REFERENCES "Organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "GlossaryTerm" ADD CONSTRAINT "GlossaryTerm_organizationId_fkey" FOREIGN KEY ("organizationId") REFERENCES "Organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A translation is into another language, and into another space.
ALTER TABLE "Translation" ADD CONSTRAINT "Translation_language_check" CHECK ("language" <> "sourceLanguage");
ALTER TABLE "Translation" ADD CONSTRAINT "Translation_result_check" CHECK ("resultSpaceId" <> "sourceSpaceId");
