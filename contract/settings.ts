import { z } from 'zod'
import { MapName } from './regions.ts'

const flag = (defaultValue: boolean) => z.boolean().default(defaultValue)

/** Features of an organization that can be switched off; all are on by default. */
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

/** Groups of reporting dashboards. */
export const MobilityDashboard = z.enum(['micromobility_parking', 'micromobility_use'])
export type MobilityDashboard = z.infer<typeof MobilityDashboard>

/** Settings of an organization, with the names of the specification. */
export const OrganizationSettings = z
  .object({
    ...features,
    mobilityDashboards: z.array(MobilityDashboard).nullable().default(null),
    maps: z.array(MapName).nullable().default(null),
    mfaRequired: flag(false),
    /** First and last day of the subscription. The subscription notice is shown only if both are set. */
    subscriptionStartDate: z.iso.date().nullable().default(null),
    subscriptionEndDate: z.iso.date().nullable().default(null),
  })
  .meta({ id: 'OrganizationSettings' })
export type OrganizationSettings = z.infer<typeof OrganizationSettings>
