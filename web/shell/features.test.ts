import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { permissionKeys } from '#contract/permission.ts'
import { MapName } from '#contract/regions.ts'
import { featureKeys, MobilityDashboard, OrganizationSettings } from '#contract/settings.ts'
import { allowsDashboard, allowsMap, hasProduct, isPageEnabled, type AccessContext } from './features.ts'
import { type Page, pageKeys, pages } from './pages.ts'

const accessWith = (
  settings: AccessContext['settings'] = {},
  region: Partial<AccessContext['region']> = {},
  can: AccessContext['can'] = () => true,
): AccessContext => ({ settings, region: { allowedMaps: null, hasMdsData: true, ...region }, can })
const disabledPages = (settings: AccessContext['settings']) =>
  pageKeys.filter((key) => !isPageEnabled(accessWith(settings), key))

describe('products', () => {
  it('are enabled with all their pages unless their flag is off', () => {
    expect(hasProduct(accessWith(), 'mobility')).toBe(true)
    expect(hasProduct(accessWith({ curbManager: false }), 'curb')).toBe(false)
    expect(disabledPages({ mobilityManager: false })).toEqual(
      pageKeys.filter((key) => pages[key].product === 'mobility'),
    )
    expect(disabledPages({ curbManager: false })).toEqual(
      pageKeys.filter((key) => pages[key].product === 'curb'),
    )
  })

  it('have every page enabled by empty settings and by the defaults of the server', () => {
    expect(disabledPages({})).toEqual([])
    expect(disabledPages(OrganizationSettings.parse({}))).toEqual([])
  })
})

describe('a flag', () => {
  it.each([
    ['home', ['activitySummary']],
    ['feeSummary', ['invoicing', 'invoice']],
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
    ['curbTransactionsTable', ['transactions', 'paymentImports', 'paymentLocations', 'paymentImport']],
    ['curbPricingEngine', ['pricingEngine', 'priceProposal']],
    ['curbOccupancy', ['occupancy', 'occupancyCounts', 'occupancyCount']],
    [
      'curbRegulationsLibrary',
      [
        'regulationsLibrary',
        'regulationCreate',
        'regulation',
        'regulationEdit',
        'curbImports',
        'curbImport',
        'curbZones',
        'curbZoneHistory',
      ],
    ],
    ['curbRegulations', ['curbAllocation', 'regulationsMap']],
    ['curbFeesAndRevenue', ['feesAndRevenue']],
    ['bikeshareStationReport', ['bikeshareStations']],
  ] as const)('%s disables exactly its pages', (flag, off) => {
    expect(disabledPages({ [flag]: false })).toEqual(off)
  })
})

describe('maps', () => {
  it('must be in both lists; a missing list allows all', () => {
    expect(allowsMap(accessWith(), 'live')).toBe(true)
    expect(allowsMap(accessWith({ maps: ['trips'] }), 'live')).toBe(false)
    expect(allowsMap(accessWith({ maps: ['trips'] }), 'trips')).toBe(true)
    expect(allowsMap(accessWith({}, { allowedMaps: ['trips'] }), 'live')).toBe(false)
    expect(allowsMap(accessWith({ maps: ['live'] }, { allowedMaps: ['live', 'trips'] }), 'live')).toBe(true)
    expect(allowsMap(accessWith({ maps: ['live'] }, { allowedMaps: ['trips'] }), 'trips')).toBe(false)
    expect(allowsMap(accessWith({ maps: null }, { allowedMaps: [] }), 'trips')).toBe(false)
  })

  it('Routes additionally requires MDS data', () => {
    expect(allowsMap(accessWith({}, { hasMdsData: false }), 'routes')).toBe(false)
    expect(allowsMap(accessWith({ maps: ['routes'] }, { allowedMaps: ['routes'] }), 'routes')).toBe(true)
    expect(MapName.options.filter((map) => !allowsMap(accessWith({}, { hasMdsData: false }), map))).toEqual([
      'routes',
    ])
  })

  it.each([
    ['live', 'live'],
    ['issues', '311'],
    ['distribution', 'distribution'],
    ['drop_offs', 'operator-drop-offs'],
    ['parking', 'parking'],
    ['routes', 'routes'],
    ['trips', 'trips'],
  ] as const)('%s follows the map rule for %s', (page, map) => {
    expect(isPageEnabled(accessWith({ maps: [map] }), page)).toBe(true)
    expect(isPageEnabled(accessWith({ maps: MapName.options.filter((name) => name !== map) }), page)).toBe(
      false,
    )
    expect(
      isPageEnabled(accessWith({}, { allowedMaps: MapName.options.filter((name) => name !== map) }), page),
    ).toBe(false)
  })

  it('of policies enables the policies library', () => {
    expect(isPageEnabled(accessWith({ maps: ['policy'] }), 'policies')).toBe(true)
    expect(isPageEnabled(accessWith({ maps: ['live'] }), 'policies')).toBe(false)
    expect(isPageEnabled(accessWith({}, { allowedMaps: ['live'] }), 'policyEdit')).toBe(false)
    expect(isPageEnabled(accessWith({ maps: ['live'] }), 'compliance')).toBe(true)
  })
})

describe('dashboards', () => {
  it('are all enabled without a list, otherwise those of the list', () => {
    for (const dashboard of MobilityDashboard.options)
      expect(allowsDashboard(accessWith(), dashboard)).toBe(true)
    expect(disabledPages({ mobilityDashboards: ['micromobility_use'] })).toEqual([
      'parkingTime',
      'parkingTimeByDistrict',
    ])
    expect(disabledPages({ mobilityDashboards: ['micromobility_parking'] })).toEqual([
      'tripDistance',
      'tripDuration',
      'timeOfDay',
      'tripDistanceByTech',
      'tripSpeedByTech',
    ])
    expect(disabledPages({ mobilityDashboards: [] })).toHaveLength(7)
  })
})

describe('permissions', () => {
  it('limit the editing of policies to users with the key, and files to administrators', () => {
    expect(
      pageKeys.filter(
        (key) =>
          !isPageEnabled(
            accessWith({}, {}, () => false),
            key,
          ),
      ),
    ).toEqual([
      'policyCreate',
      'policyDuplicate',
      'policyEdit',
      'tripFiles',
      'regulationCreate',
      'regulationEdit',
      'curbZones',
      'curbZoneHistory',
    ])
    expect(
      isPageEnabled(
        accessWith({}, {}, (key) => key === 'edit_policy'),
        'policyEdit',
      ),
    ).toBe(true)
    expect(
      isPageEnabled(
        accessWith({}, {}, (key) => key === 'edit_policy'),
        'tripFiles',
      ),
    ).toBe(false)
  })
})

describe('any settings', () => {
  const anySubset = <T>(items: readonly T[]) => fc.option(fc.subarray([...items]))
  const anyAccess = fc.record({
    flags: fc.subarray([...featureKeys]),
    maps: anySubset(MapName.options),
    dashboards: anySubset(MobilityDashboard.options),
    allowedMaps: anySubset(MapName.options),
    hasMdsData: fc.boolean(),
    permissions: fc.subarray([...permissionKeys]),
  })

  it('enable a page exactly if its flags, map, dashboard and permission are enabled', () => {
    fc.assert(
      fc.property(
        anyAccess,
        fc.constantFrom(...pageKeys),
        ({ flags, maps, dashboards, allowedMaps, hasMdsData, permissions }, key) => {
          const settings = {
            ...Object.fromEntries(featureKeys.map((flag) => [flag, flags.includes(flag)])),
            maps,
            mobilityDashboards: dashboards,
          }
          const page: Page = pages[key]
          const disabledBy = [
            !flags.includes(page.product === 'mobility' ? 'mobilityManager' : 'curbManager'),
            (page.flags ?? []).some((flag) => !flags.includes(flag)),
            page.map !== undefined &&
              ((maps !== null && !maps.includes(page.map)) ||
                (allowedMaps !== null && !allowedMaps.includes(page.map))),
            page.map === 'routes' && !hasMdsData,
            page.dashboard !== undefined && dashboards !== null && !dashboards.includes(page.dashboard),
            page.permission !== undefined && !permissions.includes(page.permission),
          ]
          expect(
            isPageEnabled(
              accessWith(settings, { allowedMaps, hasMdsData }, (permission) =>
                permissions.includes(permission),
              ),
              key,
            ),
          ).toBe(!disabledBy.includes(true))
        },
      ),
      { numRuns: 2000 },
    )
  })
})
