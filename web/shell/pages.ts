import type { PermissionKey } from '#contract/permission.ts'
import type { MapName } from '#contract/regions.ts'
import type { FeatureKey, MobilityDashboard } from '#contract/settings.ts'
import { spatialMaps, spatialModes } from '#contract/map-names.ts'
import type { SpatialMode } from '#contract/spatial.ts'
import { declareTexts } from '#web/i18n/start-i18n.ts'

/** The two products: Mobility Manager and Curb Manager. */
export type Product = 'mobility' | 'curb'

/** A page of a region and what must be enabled for it. */
export interface Page {
  /** Path below the region; `$policyId` matches any id. */
  path: string
  product: Product
  flags?: readonly FeatureKey[]
  map?: MapName
  dashboard?: MobilityDashboard
  permission?: PermissionKey
}

type PageRequirements = Omit<Page, 'path' | 'product'>

const mobilityPage = (path: string, requirements: PageRequirements = {}): Page => ({
  path: `mobility/${path}`,
  product: 'mobility',
  ...requirements,
})
const curbPage = (path: string, flag: FeatureKey, requirements: PageRequirements = {}): Page => ({
  path: `curb/${path}`,
  product: 'curb',
  flags: [flag],
  ...requirements,
})
const curbEditRequirements: PageRequirements = { permission: 'edit_curb_regulations' }

interface ReportPage extends Page {
  /** Name of the file `<report>-report.tsx` in `web/reporting/`; null if the page has its own screen. */
  report: string | null
  name: Readonly<Record<'en' | 'es', string>>
}
const reportPage = (
  path: string,
  { report: file = path, ...requirements }: PageRequirements & { report?: string | null },
  name: ReportPage['name'],
): ReportPage => ({ ...mobilityPage(`reporting/${path}`, requirements), report: file, name })
const tripReportRequirements: PageRequirements = { dashboard: 'micromobility_use' }
const parkingReportRequirements: PageRequirements = { dashboard: 'micromobility_parking' }
const policyRequirements: PageRequirements = { flags: ['policiesLibrary'], map: 'policy' }
const policyEditRequirements: PageRequirements = { ...policyRequirements, permission: 'edit_policy' }

/** The maps of values by shape, in the order of the menu. */
const spatialPages = Object.fromEntries(
  spatialModes
    .toSorted((a, b) => (spatialMaps[a] < spatialMaps[b] ? -1 : 1))
    .map((mode) => [mode, mobilityPage(`maps/${spatialMaps[mode]}`, { map: spatialMaps[mode] })]),
) as Record<SpatialMode, Page>

/**
 * The report pages in the order of the menu. Pages of a dashboard share a line and have a slide changer. Each
 * page is declared by the report file named after its path, or by `report`.
 */
const reportPages = {
  tripCounts: reportPage(
    'trip-counts',
    { flags: ['vehicleAndTripCounts'] },
    { en: 'Vehicle & Trip Counts', es: 'Conteos de vehículos y viajes' },
  ),
  mobilityMetrics: reportPage(
    'mobility-metrics',
    { flags: ['mobilityMetrics'] },
    { en: 'Mobility Metrics', es: 'Métricas de movilidad' },
  ),
  export: reportPage('export', { flags: ['export'], report: null }, { en: 'Export', es: 'Exportación' }),
  tripDistance: reportPage(
    'trip-distance',
    { ...tripReportRequirements, report: 'distributions' },
    { en: 'Trip Distances', es: 'Distancias de viaje' },
  ),
  tripDuration: reportPage(
    'trip-duration',
    { ...tripReportRequirements, report: 'distributions' },
    { en: 'Trip Durations', es: 'Duraciones de viaje' },
  ),
  timeOfDay: reportPage('time-of-day', tripReportRequirements, { en: 'Times and Days', es: 'Horas y días' }),
  tripDistanceByTech: reportPage(
    'trip-distance-by-tech',
    { ...tripReportRequirements, report: 'distributions' },
    { en: 'Trip Distance by Tech', es: 'Distancia de viaje por tecnología' },
  ),
  tripSpeedByTech: reportPage(
    'trip-speed-by-tech',
    { ...tripReportRequirements, report: 'distributions' },
    { en: 'Trip Speed by Tech', es: 'Velocidad de viaje por tecnología' },
  ),
  parkingTime: reportPage(
    'parking-time',
    { ...parkingReportRequirements, report: 'distributions' },
    { en: 'Parked Time', es: 'Tiempo estacionado' },
  ),
  parkingTimeByDistrict: reportPage('parking-time-by-district', parkingReportRequirements, {
    en: 'Parked Time by District',
    es: 'Tiempo estacionado por distrito',
  }),
  bikeshareStations: reportPage(
    'bikeshare-stations',
    { flags: ['bikeshareStationReport'] },
    { en: 'Bikeshare Stations', es: 'Estaciones de bicicletas' },
  ),
} satisfies Record<string, ReportPage>
export type ReportKey = keyof typeof reportPages
export const reportKeys = Object.keys(reportPages) as ReportKey[]
const getNames = (language: 'en' | 'es') => ({
  pages: Object.fromEntries(reportKeys.map((key) => [key, reportPages[key].name[language]])),
})
declareTexts('reporting', { en: getNames('en'), es: getNames('es') })

/** Every page of a region. `pageTitle` has their names. */
export const pages = {
  activitySummary: mobilityPage('activity-summary', { flags: ['home'] }),
  live: mobilityPage('maps/live', { map: 'live' }),
  issues: mobilityPage('maps/311', { map: '311' }),
  ...spatialPages,
  routes: mobilityPage('maps/routes', { map: 'routes' }),
  ...reportPages,
  policies: mobilityPage('policies', policyRequirements),
  policyCreate: mobilityPage('policies/create', policyEditRequirements),
  policyDuplicate: mobilityPage('policies/duplicate', policyEditRequirements),
  policy: mobilityPage('policies/$policyId', policyRequirements),
  policyEdit: mobilityPage('policies/$policyId/edit', policyEditRequirements),
  compliance: mobilityPage('policies/compliance', { flags: ['complianceReporting'] }),
  complianceDetail: mobilityPage('policies/compliance/$policyId', {
    flags: ['complianceReporting', 'complianceDetails'],
  }),
  invoicing: mobilityPage('invoicing', { flags: ['feeSummary'] }),
  invoice: mobilityPage('invoicing/$invoiceId', { flags: ['feeSummary'] }),
  geographies: mobilityPage('geographies'),
  dataHealth: mobilityPage('data-health', { flags: ['operators'] }),
  tripFiles: mobilityPage('trip-files', { permission: 'is_admin' }),
  mobileLive: { path: 'mobile/live', product: 'mobility', flags: ['liveMapMobile'], map: 'live' },
  curbMetrics: curbPage('management/metrics', 'curbMetricsPage'),
  curbActivity: curbPage('management/activity', 'curbPerformance'),
  parkingRevenue: curbPage('parking-insights/revenue', 'curbParkingInsights'),
  transactions: curbPage('parking-insights/transactions', 'curbTransactionsTable'),
  paymentImports: curbPage('parking-insights/transactions/imports', 'curbTransactionsTable'),
  paymentLocations: curbPage('parking-insights/transactions/locations', 'curbTransactionsTable'),
  paymentImport: curbPage('parking-insights/transactions/imports/$importId', 'curbTransactionsTable'),
  occupancy: curbPage('parking-insights/occupancy', 'curbOccupancy'),
  occupancyCounts: curbPage('parking-insights/occupancy/counts', 'curbOccupancy'),
  occupancyCount: curbPage('parking-insights/occupancy/counts/$importId', 'curbOccupancy'),
  pricingEngine: curbPage('parking-insights/pricing-engine', 'curbPricingEngine'),
  priceProposal: curbPage('parking-insights/pricing-engine/$proposalId', 'curbPricingEngine'),
  regulationsLibrary: curbPage('regulations/library', 'curbRegulationsLibrary'),
  regulationCreate: curbPage('regulations/library/create', 'curbRegulationsLibrary', curbEditRequirements),
  regulation: curbPage('regulations/library/$regulationId', 'curbRegulationsLibrary'),
  regulationEdit: curbPage(
    'regulations/library/$regulationId/edit',
    'curbRegulationsLibrary',
    curbEditRequirements,
  ),
  curbImports: curbPage('regulations/imports', 'curbRegulationsLibrary'),
  curbImport: curbPage('regulations/imports/$importId', 'curbRegulationsLibrary'),
  curbZones: curbPage('regulations/zones', 'curbRegulationsLibrary', curbEditRequirements),
  curbZoneHistory: curbPage('regulations/zones/history', 'curbRegulationsLibrary', curbEditRequirements),
  curbAllocation: curbPage('regulations/allocation', 'curbRegulations'),
  regulationsMap: curbPage('regulations/map', 'curbRegulations'),
  feesAndRevenue: curbPage('revenue/fees-and-revenue', 'curbFeesAndRevenue'),
  curbGeographies: { path: 'curb/geographies', product: 'curb' },
} as const satisfies Record<string, Page>

export type PageKey = keyof typeof pages
export const pageKeys = Object.keys(pages) as PageKey[]

/** Returns the text key of the name of a page. */
export function pageTitle(page: PageKey): string {
  if (page in spatialPages) return `evaluation:maps.${page}`
  return page in reportPages ? `reporting:pages.${page}` : `shell:pages.${page}`
}

/** Returns the pages of a dashboard, between which a slide changer switches. */
export const pagesOfDashboard = (dashboard: MobilityDashboard): PageKey[] =>
  pageKeys.filter((key) => (pages[key] as Page).dashboard === dashboard)

/** The report pages as lines of the menu; exports are last. */
export const reportLines: readonly { key: string; pages: readonly PageKey[] }[] = [
  ...new Map(
    reportKeys
      .toSorted((a, b) => Number(a === 'export') - Number(b === 'export'))
      .map((key) => {
        const { dashboard }: Page = pages[key]
        const line = dashboard
          ? { key: dashboard, pages: pagesOfDashboard(dashboard) }
          : { key, pages: [key] }
        return [line.key, line]
      }),
  ).values(),
]

/** URL parameters that are retained on the way to another map. */
const sharedMapParams = [
  'operators',
  'vehicle_types',
  'vehicle_type',
  'period',
  'start_date',
  'end_date',
  'hours',
  'colors',
  'results',
  'view',
]

/** Returns the search parameters that a page retains from another one; none unless both are maps. */
export function getSharedSearch(from: PageKey | null, to: PageKey, search: object): object {
  const isMap = (page: PageKey | null): boolean => {
    const map = page === null ? undefined : (pages[page] as Page).map
    // The page of the `policy` map is a library.
    return map !== undefined && map !== 'policy'
  }
  if (!isMap(from) || !isMap(to)) return {}
  return Object.fromEntries(
    Object.entries(search).filter(([key, value]) => value !== undefined && sharedMapParams.includes(key)),
  )
}

/** Returns the page that shows a map; for `policy`, the library. */
export const pageOfMap = (map: MapName): PageKey =>
  pageKeys.find((key) => (pages[key] as Page).map === map) ?? 'live'

export const pagePath = (regionId: string, page: PageKey): string => `/${regionId}/${pages[page].path}`
