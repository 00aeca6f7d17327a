import { z } from 'zod'
import { MapName } from './regions.ts'

const flag = (defaultValue: boolean) => z.boolean().default(defaultValue)

/** The switches of an organization that are on unless it says otherwise (1-product, section 3). */
export const featureKeys = [
  'mobilityManager',
  'curbManager',
  'home',
  'feeSummary',
  'policiesLibrary',
  'complianceReporting',
  'complianceDetails',
  'bikeshareStationReport',
  'export',
  'operators',
  'mobilityMetrics',
  'vehicleAndTripCounts',
  'liveMapMobile',
  'curbParkingInsights',
  'curbTransactionsTable',
  'curbPricingEngine',
  'curbOccupancy',
  'curbRegulationsLibrary',
  'curbMetricsPage',
  'curbFeesAndRevenue',
  'curbPerformance',
  'curbRegulations',
] as const
export type FeatureKey = (typeof featureKeys)[number]

const features = Object.fromEntries(featureKeys.map((key) => [key, flag(true)])) as Record<
  FeatureKey,
  z.ZodDefault<z.ZodBoolean>
>

/** The groups of reporting dashboards; an absent list means all (1-product, section 5). */
export const MobilityDashboard = z.enum(['micromobility_parking', 'micromobility_use'])
export type MobilityDashboard = z.infer<typeof MobilityDashboard>

/** Settings flags of an organization, to the specification's names. */
export const OrganizationSettings = z
  .object({
    ...features,
    mobilityDashboards: z.array(MobilityDashboard).nullable().default(null),
    maps: z.array(MapName).nullable().default(null),
    mfaRequired: flag(false),
    /** Days; the subscription notice shows only where both are there. */
    subscriptionStartDate: z.iso.date().nullable().default(null),
    subscriptionEndDate: z.iso.date().nullable().default(null),
  })
  .meta({ id: 'OrganizationSettings' })
export type OrganizationSettings = z.infer<typeof OrganizationSettings>
