-- AlterTable
ALTER TABLE "IntegrationInstallation" ADD COLUMN     "turnAt" TIMESTAMPTZ(3);
