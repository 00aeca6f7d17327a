import { describe, expect, it } from 'vitest'
import frameTexts from './shell.frame.en.json' with { type: 'json' }
import firstTexts from './shell.en.json' with { type: 'json' }
import { type Area, areasByProduct, curbGroups } from './areas.ts'
import { type PageKey, pageKeys, pages, pagesOfDashboard } from './pages.ts'
import { visibleAreas } from './visible-areas.ts'
import type { AccessContext } from './features.ts'

/** `evaluation:maps` and `reporting:pages`. */
const mapTexts = {
  distribution: 'Vehicle Distribution',
  drop_offs: 'Operator Drop-offs',
  parking: 'Parking',
  trips: 'Trips',
  tripCounts: 'Vehicle & Trip Counts',
  mobilityMetrics: 'Mobility Metrics',
  bikeshareStations: 'Bikeshare Stations',
  export: 'Export',
}
const texts = { ...firstTexts, ...frameTexts }
const accessWith = (
  settings: AccessContext['settings'] = {},
  overrides: Partial<AccessContext> = {},
): AccessContext => ({
  settings,
  region: { allowedMaps: null, hasMdsData: true },
  can: () => true,
  ...overrides,
})
const getName = (key: string): string =>
  ({ ...texts.pages, ...mapTexts, ...texts.entries } as Record<string, string>)[key] ?? key
const describeAreas = (areas: readonly Area[], names: Record<string, string>) =>
  areas.map(({ key, hasDrawer: drawer, entries }) => [
    names[key],
    ...(drawer ? entries.map((entry) => getName(entry.key)) : []),
  ])
const listPages = (areas: readonly Area[]): PageKey[] =>
  areas.flatMap(({ entries }) => entries.flatMap((entry) => [...entry.pages]))

describe('the shelves', () => {
  it('of the Mobility Manager have its names in order', () => {
    expect(describeAreas(areasByProduct.mobility, texts.areaNames)).toEqual([
      ['Home'],
      ['Maps', 'Live', '311', 'Vehicle Distribution', 'Operator Drop-offs', 'Parking', 'Routes', 'Trips'],
      [
        'Reporting',
        'Vehicle & Trip Counts',
        'Mobility Metrics',
        'Time & Distance',
        'Micromobility Parking',
        'Bikeshare Stations',
        'Export',
      ],
      ['Policies', 'Policies Library', 'Compliance'],
      ['Policy Fees and Invoicing'],
      ['Geographies'],
      ['MDS Data Health'],
      ['Import data', 'Files'],
    ])
  })

  it('of the Curb Manager have its names in order', () => {
    expect(describeAreas(areasByProduct.curb, texts.areaNames)).toEqual([
      ['Management', 'Dashboard Metrics', 'Activity Map'],
      ['Parking Insights', 'Revenue', 'Transactions', 'Pricing Engine', 'Occupancy'],
      ['Regulations', 'Library', 'Zones', 'Imports', 'Map', 'Allocation'],
      ['Revenue', 'Fees and Revenue'],
      ['Geographies map'],
    ])
  })

  it('of the alternative layout have the same curb pages in other groups', () => {
    expect(describeAreas(curbGroups, texts.curbGroups).map(([name]) => name)).toEqual([
      'Digital Smart Zones',
      'Parking Insights',
      'Regulations',
      'Geographies',
    ])
    expect(listPages(curbGroups).sort()).toEqual(listPages(areasByProduct.curb).sort())
  })

  it('link to every page once, except subpages', () => {
    const linked = [...listPages(areasByProduct.mobility), ...listPages(areasByProduct.curb)]
    expect(new Set(linked).size).toBe(linked.length)
    expect(pageKeys.filter((key) => !linked.includes(key))).toEqual(['mobileLive'])
    expect(
      Object.values(areasByProduct)
        .flat()
        .filter(({ hasDrawer: drawer, entries }) => !drawer && entries.length > 1),
    ).toEqual([])
  })

  it('list the dashboards of a group in the order of the pages', () => {
    expect(pagesOfDashboard('micromobility_use')).toEqual([
      'tripDistance',
      'tripDuration',
      'timeOfDay',
      'tripDistanceByTech',
      'tripSpeedByTech',
    ])
    expect(pagesOfDashboard('micromobility_parking')).toEqual(['parkingTime', 'parkingTimeByDistrict'])
  })
})

describe('disabled pages', () => {
  it('are not on the shelf, nor areas without other pages', () => {
    const areas = visibleAreas(
      areasByProduct.mobility,
      accessWith(
        { home: false, policiesLibrary: false, complianceReporting: false, maps: ['trips', 'live'] },
        { can: () => false },
      ),
    )
    expect(areas.map(({ key }) => key)).toEqual([
      'maps',
      'reporting',
      'invoicing',
      'geographies',
      'dataHealth',
    ])
    expect(areas[0]?.entries.map(({ targetPage: opens }) => opens)).toEqual(['live', 'trips'])
  })

  it('leave the other pages of a group, which opens with its first enabled page', () => {
    const [reporting] = visibleAreas(
      areasByProduct.mobility.filter(({ key }) => key === 'reporting'),
      accessWith({ mobilityDashboards: ['micromobility_parking'] }),
    )
    expect(reporting?.entries.map(({ key, targetPage: opens }) => [key, opens])).toEqual([
      ['tripCounts', 'tripCounts'],
      ['mobilityMetrics', 'mobilityMetrics'],
      ['micromobility_parking', 'parkingTime'],
      ['bikeshareStations', 'bikeshareStations'],
      ['export', 'export'],
    ])
    expect(visibleAreas(areasByProduct.curb, accessWith({ curbManager: false }))).toEqual([])
  })

  it('never links to a path with a parameter', () => {
    for (const areas of [areasByProduct.mobility, areasByProduct.curb, curbGroups])
      for (const { entries } of visibleAreas(areas, accessWith()))
        for (const { targetPage: opens } of entries) expect(pages[opens].path).not.toContain('$')
  })
})

it('has every page on a shelf', () => {
  const shown = [...areasByProduct.mobility, ...areasByProduct.curb].flatMap((area) =>
    visibleAreas([area], accessWith()).flatMap(({ entries }) => entries.map(({ targetPage }) => targetPage)),
  )
  expect(shown).toContain('transactions')
  expect(shown).toContain('pricingEngine')
  expect(shown).toContain('curbGeographies')
})
