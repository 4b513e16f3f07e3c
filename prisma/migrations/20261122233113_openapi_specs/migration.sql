-- CreateEnum
CREATE TYPE "OpenApiSpecVisibility" AS ENUM ('private', 'public');

-- CreateEnum
CREATE TYPE "OpenApiProcessingState" AS ENUM ('pending', 'progress', 'complete');

-- CreateEnum
CREATE TYPE "OpenApiProcessErrorCode" AS ENUM ('FETCH_TIMEOUT', 'FETCH_ERROR', 'PARSE_ERROR');

-- CreateTable
CREATE TABLE "OpenApiSpec" (
    "id" TEXT COLLATE "C" NOT NULL,
    "organizationId" TEXT COLLATE "C" NOT NULL,
    "slug" TEXT NOT NULL,
    "title" TEXT,
    "visibility" "OpenApiSpecVisibility" NOT NULL DEFAULT 'private',
    "createdById" TEXT COLLATE "C",
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "sourceUrl" TEXT,
    "sourceBlob" TEXT,
    "lastVersionId" TEXT COLLATE "C",
    "state" "OpenApiProcessingState" NOT NULL DEFAULT 'pending',
    "processedAt" TIMESTAMPTZ(3),
    "errorCode" "OpenApiProcessErrorCode",
    "error" TEXT,
    "etag" TEXT,
    "lastModified" TEXT,
    "dueAt" TIMESTAMPTZ(3),
    "failures" INTEGER NOT NULL DEFAULT 0,
    "lease" TEXT,
    "leaseUntil" TIMESTAMPTZ(3),
    "addressKey" TEXT NOT NULL,

    CONSTRAINT "OpenApiSpec_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "OpenApiSpecVersion" (
    "id" TEXT COLLATE "C" NOT NULL,
    "specId" TEXT COLLATE "C" NOT NULL,
    "number" INTEGER NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "hash" TEXT COLLATE "C" NOT NULL,
    "files" JSONB NOT NULL,
    "filesystem" TEXT NOT NULL,
    "document" TEXT NOT NULL,
    "documentSize" INTEGER NOT NULL,
    "blobs" TEXT[],
    "openapi" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "apiVersion" TEXT NOT NULL,
    "pathCount" INTEGER NOT NULL,
    "operationCount" INTEGER NOT NULL,
    "modelCount" INTEGER NOT NULL,

    CONSTRAINT "OpenApiSpecVersion_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "OpenApiSpec_lastVersionId_key" ON "OpenApiSpec"("lastVersionId");

-- CreateIndex
CREATE INDEX "OpenApiSpec_organizationId_createdAt_id_idx" ON "OpenApiSpec"("organizationId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "OpenApiSpec_createdById_idx" ON "OpenApiSpec"("createdById");

-- CreateIndex
CREATE INDEX "OpenApiSpec_sourceBlob_idx" ON "OpenApiSpec"("sourceBlob");

-- CreateIndex
CREATE INDEX "OpenApiSpec_dueAt_idx" ON "OpenApiSpec"("dueAt");

-- CreateIndex
CREATE UNIQUE INDEX "OpenApiSpec_organizationId_slug_key" ON "OpenApiSpec"("organizationId", "slug");

-- CreateIndex
CREATE INDEX "OpenApiSpecVersion_blobs_idx" ON "OpenApiSpecVersion" USING GIN ("blobs");

-- CreateIndex
CREATE UNIQUE INDEX "OpenApiSpecVersion_specId_number_key" ON "OpenApiSpecVersion"("specId", "number");

-- AddForeignKey
ALTER TABLE "OpenApiSpec" ADD CONSTRAINT "OpenApiSpec_organizationId_fkey" FOREIGN KEY ("organizationId") REFERENCES "Organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "OpenApiSpec" ADD CONSTRAINT "OpenApiSpec_createdById_fkey" FOREIGN KEY ("createdById") REFERENCES "User"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "OpenApiSpec" ADD CONSTRAINT "OpenApiSpec_lastVersionId_fkey" FOREIGN KEY ("lastVersionId") REFERENCES "OpenApiSpecVersion"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "OpenApiSpecVersion" ADD CONSTRAINT "OpenApiSpecVersion_specId_fkey" FOREIGN KEY ("specId") REFERENCES "OpenApiSpec"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A source is an address, or what was given.
ALTER TABLE "OpenApiSpec" ADD CONSTRAINT "OpenApiSpec_source_check" CHECK (("sourceUrl" IS NULL) <> ("sourceBlob" IS NULL));
