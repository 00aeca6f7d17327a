import type { PermissionKey } from '#contract/permission.ts'
import type { MapName } from '#contract/regions.ts'
import type { FeatureKey, MobilityDashboard } from '#contract/settings.ts'
import { spatialMaps, spatialModes } from '#contract/map-names.ts'
import type { SpatialMode } from '#contract/spatial.ts'
import { declareTexts } from '#web/i18n/start-i18n.ts'

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

const mobility = (path: string, requirements: PageRequirements = {}): Page => ({
  path: `mobility/${path}`,
  product: 'mobility',
  ...requirements,
})
const curb = (path: string, flag: FeatureKey, requirements: PageRequirements = {}): Page => ({
  path: `curb/${path}`,
  product: 'curb',
  flags: [flag],
  ...requirements,
})
const editsCurb: PageRequirements = { permission: 'edit_curb_regulations' }
/** A report page with its name. */
interface ReportPage extends Page {
  /** Name of the file `<report>-report.tsx` in `web/reporting/`; null if the page has its own screen. */
  report: string | null
  name: Readonly<Record<'en' | 'es', string>>
}
const report = (
  path: string,
  { report: file = path, ...requirements }: PageRequirements & { report?: string | null },
  name: ReportPage['name'],
): ReportPage => ({ ...mobility(`reporting/${path}`, requirements), report: file, name })
const tripReport: PageRequirements = { dashboard: 'micromobility_use' }
const parkingReport: PageRequirements = { dashboard: 'micromobility_parking' }
const libraryRequirements: PageRequirements = { flags: ['policiesLibrary'], map: 'policy' }
const editRequirements: PageRequirements = { ...libraryRequirements, permission: 'edit_policy' }

/** The maps of values by shape, in the order of the menu. */
const spatialPages = Object.fromEntries(
  spatialModes
    .toSorted((a, b) => (spatialMaps[a] < spatialMaps[b] ? -1 : 1))
    .map((mode) => [mode, mobility(`maps/${spatialMaps[mode]}`, { map: spatialMaps[mode] })]),
) as Record<SpatialMode, Page>

/**
 * The report pages in the order of the menu. Pages of a dashboard share a line and have a slide changer. Each
 * page is declared by the report file named after its path, or by `report`.
 */
const reportPages = {
  tripCounts: report(
    'trip-counts',
    { flags: ['vehicleAndTripCounts'] },
    { en: 'Vehicle & Trip Counts', es: 'Conteos de vehículos y viajes' },
  ),
  mobilityMetrics: report(
    'mobility-metrics',
    { flags: ['mobilityMetrics'] },
    { en: 'Mobility Metrics', es: 'Métricas de movilidad' },
  ),
  export: report('export', { flags: ['export'], report: null }, { en: 'Export', es: 'Exportación' }),
  tripDistance: report(
    'trip-distance',
    { ...tripReport, report: 'distributions' },
    { en: 'Trip Distances', es: 'Distancias de viaje' },
  ),
  tripDuration: report(
    'trip-duration',
    { ...tripReport, report: 'distributions' },
    { en: 'Trip Durations', es: 'Duraciones de viaje' },
  ),
  timeOfDay: report('time-of-day', tripReport, { en: 'Times and Days', es: 'Horas y días' }),
  tripDistanceByTech: report(
    'trip-distance-by-tech',
    { ...tripReport, report: 'distributions' },
    { en: 'Trip Distance by Tech', es: 'Distancia de viaje por tecnología' },
  ),
  tripSpeedByTech: report(
    'trip-speed-by-tech',
    { ...tripReport, report: 'distributions' },
    { en: 'Trip Speed by Tech', es: 'Velocidad de viaje por tecnología' },
  ),
  parkingTime: report(
    'parking-time',
    { ...parkingReport, report: 'distributions' },
    { en: 'Parked Time', es: 'Tiempo estacionado' },
  ),
  parkingTimeByDistrict: report('parking-time-by-district', parkingReport, {
    en: 'Parked Time by District',
    es: 'Tiempo estacionado por distrito',
  }),
  bikeshareStations: report(
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
  activitySummary: mobility('activity-summary', { flags: ['home'] }),

  live: mobility('maps/live', { map: 'live' }),
  issues: mobility('maps/311', { map: '311' }),
  ...spatialPages,
  routes: mobility('maps/routes', { map: 'routes' }),

  ...reportPages,

  policies: mobility('policies', libraryRequirements),
  policyCreate: mobility('policies/create', editRequirements),
  policyDuplicate: mobility('policies/duplicate', editRequirements),
  policy: mobility('policies/$policyId', libraryRequirements),
  policyEdit: mobility('policies/$policyId/edit', editRequirements),
  compliance: mobility('policies/compliance', { flags: ['complianceReporting'] }),
  complianceDetail: mobility('policies/compliance/$policyId', {
    flags: ['complianceReporting', 'complianceDetails'],
  }),

  invoicing: mobility('invoicing', { flags: ['feeSummary'] }),
  invoice: mobility('invoicing/$invoiceId', { flags: ['feeSummary'] }),
  geographies: mobility('geographies'),
  dataHealth: mobility('data-health', { flags: ['operators'] }),
  tripFiles: mobility('trip-files', { permission: 'is_admin' }),
  mobileLive: { path: 'mobile/live', product: 'mobility', flags: ['liveMapMobile'], map: 'live' },

  curbMetrics: curb('management/metrics', 'curbMetricsPage'),
  curbActivity: curb('management/activity', 'curbPerformance'),
  parkingRevenue: curb('parking-insights/revenue', 'curbParkingInsights'),
  transactions: curb('parking-insights/transactions', 'curbTransactionsTable'),
  paymentImports: curb('parking-insights/transactions/imports', 'curbTransactionsTable'),
  paymentLocations: curb('parking-insights/transactions/locations', 'curbTransactionsTable'),
  paymentImport: curb('parking-insights/transactions/imports/$importId', 'curbTransactionsTable'),
  occupancy: curb('parking-insights/occupancy', 'curbOccupancy'),
  occupancyCounts: {
    path: 'curb/parking-insights/occupancy/counts',
    product: 'curb',
    flags: ['curbOccupancy'],
  },
  occupancyCount: {
    path: 'curb/parking-insights/occupancy/counts/$importId',
    product: 'curb',
    flags: ['curbOccupancy'],
  },
  pricingEngine: curb('parking-insights/pricing-engine', 'curbPricingEngine'),
  priceProposal: curb('parking-insights/pricing-engine/$proposalId', 'curbPricingEngine'),
  regulationsLibrary: curb('regulations/library', 'curbRegulationsLibrary'),
  regulationCreate: curb('regulations/library/create', 'curbRegulationsLibrary', editsCurb),
  regulation: curb('regulations/library/$regulationId', 'curbRegulationsLibrary'),
  regulationEdit: curb('regulations/library/$regulationId/edit', 'curbRegulationsLibrary', editsCurb),
  curbImports: { path: 'curb/regulations/imports', product: 'curb', flags: ['curbRegulationsLibrary'] },
  curbImport: {
    path: 'curb/regulations/imports/$importId',
    product: 'curb',
    flags: ['curbRegulationsLibrary'],
  },
  curbZones: curb('regulations/zones', 'curbRegulationsLibrary', editsCurb),
  curbZoneHistory: curb('regulations/zones/history', 'curbRegulationsLibrary', editsCurb),
  curbAllocation: curb('regulations/allocation', 'curbRegulations'),
  regulationsMap: curb('regulations/map', 'curbRegulations'),
  feesAndRevenue: curb('revenue/fees-and-revenue', 'curbFeesAndRevenue'),
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

/** The part of the search parameters that a page retains from another one; nothing unless both are maps. */
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

/** Path of a page in a region. */
export const pagePath = (regionId: string, page: PageKey): string => `/${regionId}/${pages[page].path}`
