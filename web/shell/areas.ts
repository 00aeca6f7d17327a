import {
  IconBuildingStore,
  IconChartBar,
  IconClipboardList,
  IconDatabaseImport,
  IconFileDollar,
  IconHeartbeat,
  IconHome,
  IconLayoutDashboard,
  IconMap2,
  IconParking,
  IconPolygon,
  IconScale,
  type Icon,
} from '@tabler/icons-react'
import { mapNames } from '#contract/map-names.ts'
import { type PageKey, pageOfMap, type Product, reportLines } from './pages.ts'

/** One line of a drawer: a page, or sibling pages; the line links to the first enabled one. */
export interface Entry {
  /** Name of the line: `shell:entries.<key>`, else the title of the first page. */
  key: string
  pages: readonly [PageKey, ...PageKey[]]
}

/** A group of pages with an icon; `shell:areas.<key>` is its name. */
export interface Area {
  key: string
  Icon: Icon
  entries: readonly [Entry, ...Entry[]]
  /** Whether the area opens a drawer with its entries; otherwise it links to its single page. */
  hasDrawer?: boolean
}

const createEntry = (key: PageKey, ...subpages: PageKey[]): Entry => ({ key, pages: [key, ...subpages] })
const singlePageArea = (key: string, icon: Icon, page: PageKey): Area => ({
  key,
  Icon: icon,
  entries: [createEntry(page)],
})

const mobilityAreas: readonly Area[] = [
  singlePageArea('home', IconHome, 'activitySummary'),
  {
    key: 'maps',
    Icon: IconMap2,
    hasDrawer: true,
    entries: [
      createEntry('live'),
      ...mapNames
        .filter((name) => name !== 'live' && name !== 'policy')
        .map((name) => createEntry(pageOfMap(name))),
    ],
  },
  { key: 'reporting', Icon: IconChartBar, hasDrawer: true, entries: reportLines as [Entry, ...Entry[]] },
  {
    key: 'policies',
    Icon: IconScale,
    hasDrawer: true,
    entries: [
      createEntry('policies', 'policyCreate', 'policyDuplicate', 'policy', 'policyEdit'),
      createEntry('compliance', 'complianceDetail'),
    ],
  },
  { key: 'invoicing', Icon: IconFileDollar, entries: [createEntry('invoicing', 'invoice')] },
  singlePageArea('geographies', IconPolygon, 'geographies'),
  singlePageArea('dataHealth', IconHeartbeat, 'dataHealth'),
  { key: 'dataIn', Icon: IconDatabaseImport, hasDrawer: true, entries: [createEntry('tripFiles')] },
]

const parkingInsights: Area = {
  key: 'parkingInsights',
  Icon: IconParking,
  hasDrawer: true,
  entries: [
    createEntry('parkingRevenue'),
    createEntry('transactions', 'paymentImports', 'paymentLocations', 'paymentImport'),
    createEntry('pricingEngine', 'priceProposal'),
    createEntry('occupancy', 'occupancyCounts', 'occupancyCount'),
  ],
}
const regulations: Area = {
  key: 'regulations',
  Icon: IconClipboardList,
  hasDrawer: true,
  entries: [
    createEntry('regulationsLibrary', 'regulationCreate', 'regulation', 'regulationEdit'),
    createEntry('curbZones', 'curbZoneHistory'),
    createEntry('curbImports', 'curbImport'),
    createEntry('regulationsMap'),
    createEntry('curbAllocation'),
  ],
}

const curbAreas: readonly Area[] = [
  {
    key: 'management',
    Icon: IconLayoutDashboard,
    hasDrawer: true,
    entries: [createEntry('curbMetrics'), createEntry('curbActivity')],
  },
  parkingInsights,
  regulations,
  { key: 'revenue', Icon: IconFileDollar, hasDrawer: true, entries: [createEntry('feesAndRevenue')] },
  singlePageArea('curbGeographies', IconPolygon, 'curbGeographies'),
]

/** Areas of each product in the order of the shelf. */
export const areasByProduct: Readonly<Record<Product, readonly Area[]>> = {
  mobility: mobilityAreas,
  curb: curbAreas,
}

/** The curb pages in the groups of the curb drawer, where the revenue of zones is part of the first group. */
export const curbGroups: readonly Area[] = [
  {
    key: 'smartZones',
    Icon: IconBuildingStore,
    hasDrawer: true,
    entries: [createEntry('curbMetrics'), createEntry('curbActivity'), createEntry('feesAndRevenue')],
  },
  parkingInsights,
  regulations,
  { key: 'geographies', Icon: IconPolygon, entries: [createEntry('curbGeographies')] },
]
