import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { permissionKeys } from '#contract/permission.ts'
import { MapName } from '#contract/regions.ts'
import { featureKeys, MobilityDashboard, OrganizationSettings } from '#contract/settings.ts'
import { allowsDashboard, allowsMap, hasProduct, isPageEnabled, type AccessContext } from './features.ts'
import { type Page, pageKeys, pages } from './pages.ts'

const standing = (
  settings: AccessContext['settings'] = {},
  region: Partial<AccessContext['region']> = {},
  can: AccessContext['can'] = () => true,
): AccessContext => ({
  settings,
  region: { allowedMaps: null, hasMdsData: true, ...region },
  can,
})
const onlyOff = (settings: AccessContext['settings']) =>
  pageKeys.filter((key) => !isPageEnabled(standing(settings), key))

describe('products', () => {
  it('are on unless their flag is off, and with them all their pages', () => {
    expect(hasProduct(standing(), 'mobility')).toBe(true)
    expect(hasProduct(standing({ curbManager: false }), 'curb')).toBe(false)
    expect(onlyOff({ mobilityManager: false })).toEqual(
      pageKeys.filter((key) => pages[key].product === 'mobility'),
    )
    expect(onlyOff({ curbManager: false })).toEqual(pageKeys.filter((key) => pages[key].product === 'curb'))
  })

  it('have every page on where the settings say nothing, and where they say what the server says then', () => {
    expect(onlyOff({})).toEqual([])
    expect(onlyOff(OrganizationSettings.parse({}))).toEqual([])
  })
})

describe('a flag', () => {
  it.each([
    ['home', ['activitySummary']],
    ['feeSummary', ['invoicing']],
    ['policiesLibrary', ['policies', 'policyCreate', 'policyDuplicate', 'policy', 'policyEdit']],
    ['complianceReporting', ['compliance', 'complianceDetail']],
    ['complianceDetails', ['complianceDetail']],
    ['export', ['export']],
    ['operators', ['dataHealth']],
    ['mobilityMetrics', ['mobilityMetrics']],
    ['vehicleAndTripCounts', ['tripCounts']],
    ['liveMapMobile', ['mobileLive']],
    ['curbMetricsPage', ['curbMetrics']],
    ['curbPerformance', ['curbActivity']],
    ['curbParkingInsights', ['parkingRevenue']],
    ['curbTransactionsTable', ['transactions']],
    ['curbPricingEngine', ['pricingEngine']],
    ['curbOccupancy', ['occupancy']],
    ['curbRegulationsLibrary', ['regulationsLibrary']],
    ['curbRegulations', ['regulationsMap']],
    ['curbFeesAndRevenue', ['feesAndRevenue']],
    // A report without a page of its own.
    ['bikeshareStationReport', []],
  ] as const)('%s turns off its pages and no others', (flag, off) => {
    expect(onlyOff({ [flag]: false })).toEqual(off)
  })
})

describe('maps', () => {
  it('need both lists; a list that is not there holds all', () => {
    expect(allowsMap(standing(), 'live')).toBe(true)
    expect(allowsMap(standing({ maps: ['trips'] }), 'live')).toBe(false)
    expect(allowsMap(standing({ maps: ['trips'] }), 'trips')).toBe(true)
    expect(allowsMap(standing({}, { allowedMaps: ['trips'] }), 'live')).toBe(false)
    expect(allowsMap(standing({ maps: ['live'] }, { allowedMaps: ['live', 'trips'] }), 'live')).toBe(true)
    expect(allowsMap(standing({ maps: ['live'] }, { allowedMaps: ['trips'] }), 'trips')).toBe(false)
    expect(allowsMap(standing({ maps: null }, { allowedMaps: [] }), 'trips')).toBe(false)
  })

  it('Routes needs MDS data besides', () => {
    expect(allowsMap(standing({}, { hasMdsData: false }), 'routes')).toBe(false)
    expect(allowsMap(standing({ maps: ['routes'] }, { allowedMaps: ['routes'] }), 'routes')).toBe(true)
    expect(MapName.options.filter((map) => !allowsMap(standing({}, { hasMdsData: false }), map))).toEqual([
      'routes',
    ])
  })

  it.each([
    ['live', 'live'],
    ['issues', '311'],
    ['distribution', 'distribution'],
    ['dropOffs', 'operator-drop-offs'],
    ['parking', 'parking'],
    ['routes', 'routes'],
    ['trips', 'trips'],
  ] as const)('%s follows the map rule for %s', (page, map) => {
    expect(isPageEnabled(standing({ maps: [map] }), page)).toBe(true)
    expect(isPageEnabled(standing({ maps: MapName.options.filter((each) => each !== map) }), page)).toBe(
      false,
    )
    expect(
      isPageEnabled(standing({}, { allowedMaps: MapName.options.filter((each) => each !== map) }), page),
    ).toBe(false)
  })

  it('of the policies decides about the policies library', () => {
    expect(isPageEnabled(standing({ maps: ['policy'] }), 'policies')).toBe(true)
    expect(isPageEnabled(standing({ maps: ['live'] }), 'policies')).toBe(false)
    expect(isPageEnabled(standing({}, { allowedMaps: ['live'] }), 'policyEdit')).toBe(false)
    expect(isPageEnabled(standing({ maps: ['live'] }), 'compliance')).toBe(true)
  })
})

describe('dashboards', () => {
  it('are all on without a list, and those of the list with one', () => {
    for (const dashboard of MobilityDashboard.options)
      expect(allowsDashboard(standing(), dashboard)).toBe(true)
    expect(onlyOff({ mobilityDashboards: ['micromobility_use'] })).toEqual([
      'parkingTime',
      'parkingTimeByDistrict',
    ])
    expect(onlyOff({ mobilityDashboards: ['micromobility_parking'] })).toEqual([
      'tripDistance',
      'tripDuration',
      'timeOfDay',
      'tripDistanceByTech',
      'tripSpeedByTech',
    ])
    expect(onlyOff({ mobilityDashboards: [] })).toHaveLength(7)
  })
})

describe('permissions', () => {
  it('keep the editing of policies to those who may, and files to administrators', () => {
    expect(
      pageKeys.filter(
        (key) =>
          !isPageEnabled(
            standing({}, {}, () => false),
            key,
          ),
      ),
    ).toEqual(['policyCreate', 'policyDuplicate', 'policyEdit', 'tripFiles'])
    expect(
      isPageEnabled(
        standing({}, {}, (key) => key === 'edit_policy'),
        'policyEdit',
      ),
    ).toBe(true)
    expect(
      isPageEnabled(
        standing({}, {}, (key) => key === 'edit_policy'),
        'tripFiles',
      ),
    ).toBe(false)
  })
})

describe('whatever the settings', () => {
  const some = <T>(items: readonly T[]) => fc.option(fc.subarray([...items]))
  const anyStanding = fc.record({
    flags: fc.subarray([...featureKeys]),
    maps: some(MapName.options),
    dashboards: some(MobilityDashboard.options),
    allowedMaps: some(MapName.options),
    hasMdsData: fc.boolean(),
    held: fc.subarray([...permissionKeys]),
  })

  it('a page never shows when a flag, a map, a dashboard or a permission of it is off, and always when all are on', () => {
    fc.assert(
      fc.property(
        anyStanding,
        fc.constantFrom(...pageKeys),
        ({ flags, maps, dashboards, allowedMaps, hasMdsData, held }, key) => {
          const settings = {
            ...Object.fromEntries(featureKeys.map((flag) => [flag, flags.includes(flag)])),
            maps,
            mobilityDashboards: dashboards,
          }
          const page: Page = pages[key]
          const lacks = [
            !flags.includes(page.product === 'mobility' ? 'mobilityManager' : 'curbManager'),
            (page.flags ?? []).some((flag) => !flags.includes(flag)),
            page.map !== undefined &&
              ((maps !== null && !maps.includes(page.map)) ||
                (allowedMaps !== null && !allowedMaps.includes(page.map))),
            page.map === 'routes' && !hasMdsData,
            page.dashboard !== undefined && dashboards !== null && !dashboards.includes(page.dashboard),
            page.permission !== undefined && !held.includes(page.permission),
          ]
          expect(
            isPageEnabled(
              standing(settings, { allowedMaps, hasMdsData }, (each) => held.includes(each)),
              key,
            ),
          ).toBe(!lacks.includes(true))
        },
      ),
      { numRuns: 2000 },
    )
  })
})
