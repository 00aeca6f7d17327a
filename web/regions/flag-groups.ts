import type { FeatureKey } from '#contract/settings.ts'

/** The switches of an organization in the specification's groups (1-product, section 3); those of security stand in their own part of the form. */
export const flagGroups = {
  products: ['mobilityManager', 'curbManager', 'home'],
  mobility: [
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
  ],
  curb: [
    'curbParkingInsights',
    'curbTransactionsTable',
    'curbPricingEngine',
    'curbOccupancy',
    'curbRegulationsLibrary',
    'curbMetricsPage',
    'curbFeesAndRevenue',
    'curbPerformance',
    'curbRegulations',
  ],
} as const satisfies Record<string, readonly FeatureKey[]>

export type FlagGroup = keyof typeof flagGroups
