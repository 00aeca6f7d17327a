import { describe, expect, it } from 'vitest'
import frameTexts from './shell.frame.en.json' with { type: 'json' }
import firstTexts from './shell.en.json' with { type: 'json' }
import { type Area, areasByProduct, curbGroups, dashboardGroups } from './areas.ts'
import { type PageKey, pageKeys, pages } from './pages.ts'
import { visibleAreas } from './visible-areas.ts'
import type { AccessContext } from './features.ts'

const texts = { ...firstTexts, ...frameTexts }
const standing = (
  settings: AccessContext['settings'] = {},
  rest: Partial<AccessContext> = {},
): AccessContext => ({
  settings,
  region: { allowedMaps: null, hasMdsData: true },
  can: () => true,
  ...rest,
})
const named = (key: string): string =>
  ({ ...texts.pages, ...texts.entries } as Record<string, string>)[key] ?? key
const read = (areas: readonly Area[], names: Record<string, string>) =>
  areas.map(({ key, drawer, entries }) => [
    names[key],
    ...(drawer ? entries.map((entry) => named(entry.key)) : []),
  ])
const pagesOf = (areas: readonly Area[]): PageKey[] =>
  areas.flatMap(({ entries }) => entries.flatMap((entry) => [...entry.pages]))

describe('the shelves', () => {
  it('of the Mobility Manager, its names in its order', () => {
    expect(read(areasByProduct.mobility, texts.areaNames)).toEqual([
      ['Home'],
      ['Maps', 'Live', '311', 'Vehicle Distribution', 'Operator Drop-offs', 'Parking', 'Routes', 'Trips'],
      [
        'Reporting',
        'Vehicle & Trip Counts',
        'Mobility Metrics',
        'Time & Distance',
        'Micromobility Parking',
        'Export',
      ],
      ['Policies', 'Policies Library', 'Compliance'],
      ['Policy Fees and Invoicing'],
      ['Geographies'],
      ['MDS Data Health'],
      ['Data in', 'Files'],
    ])
  })

  it('of the Curb Manager, its names in its order', () => {
    expect(read(areasByProduct.curb, texts.areaNames)).toEqual([
      ['Management', 'Dashboard Metrics', 'Activity Map'],
      ['Parking Insights', 'Revenue', 'Transactions', 'Pricing Engine', 'Occupancy'],
      ['Regulations', 'Library', 'Map'],
      ['Revenue', 'Fees and Revenue'],
      ['Geographies map'],
    ])
  })

  it('of the second layout hold the same curb pages in other groups', () => {
    expect(read(curbGroups, texts.curbGroups).map(([name]) => name)).toEqual([
      'Digital Smart Zones',
      'Parking Insights',
      'Regulations',
      'Geographies',
    ])
    expect(pagesOf(curbGroups).sort()).toEqual(pagesOf(areasByProduct.curb).sort())
  })

  it('reach every page that is no other page’s part, once', () => {
    const reached = [...pagesOf(areasByProduct.mobility), ...pagesOf(areasByProduct.curb)]
    expect(new Set(reached).size).toBe(reached.length)
    expect(pageKeys.filter((key) => !reached.includes(key))).toEqual(['mobileLive'])
    expect(
      Object.values(areasByProduct)
        .flat()
        .filter(({ drawer, entries }) => !drawer && entries.length > 1),
    ).toEqual([])
  })

  it('call the dashboards of a group by the names of the list', () => {
    expect(dashboardGroups.trip.map(named)).toEqual([
      'Trip Distances',
      'Trip Durations',
      'Times and Days',
      'Trip Distance by Tech',
      'Trip Speed by Tech',
    ])
    expect(dashboardGroups.parking.map(named)).toEqual(['Parked Time', 'Parked Time by District'])
  })
})

describe('what is off', () => {
  it('is not on the shelf, and an area of nothing else neither', () => {
    const shown = visibleAreas(
      areasByProduct.mobility,
      standing(
        { home: false, policiesLibrary: false, complianceReporting: false, maps: ['trips', 'live'] },
        { can: () => false },
      ),
    )
    expect(shown.map(({ key }) => key)).toEqual([
      'maps',
      'reporting',
      'invoicing',
      'geographies',
      'dataHealth',
    ])
    expect(shown[0]?.entries.map(({ targetPage: opens }) => opens)).toEqual(['live', 'trips'])
  })

  it('leaves the rest of a group, whose first page is opened', () => {
    const [reporting] = visibleAreas(
      areasByProduct.mobility.filter(({ key }) => key === 'reporting'),
      standing({ mobilityDashboards: ['micromobility_parking'] }),
    )
    expect(reporting?.entries.map(({ key, targetPage: opens }) => [key, opens])).toEqual([
      ['tripCounts', 'tripCounts'],
      ['mobilityMetrics', 'mobilityMetrics'],
      ['micromobilityParking', 'parkingTime'],
      ['export', 'export'],
    ])
    expect(visibleAreas(areasByProduct.curb, standing({ curbManager: false }))).toEqual([])
  })

  it('has a path that never holds the id of a policy where a link leads', () => {
    for (const areas of [areasByProduct.mobility, areasByProduct.curb, curbGroups])
      for (const { entries } of visibleAreas(areas, standing()))
        for (const { targetPage: opens } of entries) expect(pages[opens].path).not.toContain('$')
  })
})
