import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MapName } from '#contract/regions.ts'
import { featureKeys } from '#contract/settings.ts'
import { defaultPath, defaultCurbPage, defaultPage } from './default-page.ts'
import { isPageEnabled, type AccessContext } from './features.ts'

const accessWith = (
  settings: AccessContext['settings'],
  allowedMaps: MapName[] | null = null,
): AccessContext => ({ settings, region: { allowedMaps, hasMdsData: true }, can: () => false })
const curbOrder = [
  ['curbMetrics', 'curbMetricsPage'],
  ['curbActivity', 'curbPerformance'],
  ['parkingRevenue', 'curbParkingInsights'],
  ['transactions', 'curbTransactionsTable'],
  ['regulationsLibrary', 'curbRegulationsLibrary'],
  ['regulationsMap', 'curbRegulations'],
  ['feesAndRevenue', 'curbFeesAndRevenue'],
] as const

describe('the default page', () => {
  it('is the live map when the Mobility Manager is on', () => {
    expect(defaultPage(accessWith({}))).toBe('live')
    expect(defaultPage(accessWith({ curbManager: false, home: true }))).toBe('live')
    expect(defaultPath('port-meridian', accessWith({}))).toBe('/port-meridian/mobility/maps/live')
  })

  it('is otherwise the first enabled curb page in the given order', () => {
    const settings: AccessContext['settings'] = { mobilityManager: false }
    for (const [page, flag] of curbOrder) {
      expect(defaultPage(accessWith(settings))).toBe(page)
      expect(defaultCurbPage(accessWith(settings))).toBe(page)
      Object.assign(settings, { [flag]: false })
    }
    expect(defaultPage(accessWith(settings))).toBe('curbGeographies')
    Object.assign(settings, { curbManager: false })
    expect(defaultPage(accessWith(settings))).toBeNull()
    expect(defaultPath('port-meridian', accessWith(settings))).toBe('/port-meridian')
  })

  it('is not a page of a disabled product', () => {
    expect(defaultCurbPage(accessWith({ curbManager: false }))).toBeNull()
    expect(defaultPath('x', accessWith({ mobilityManager: false, curbManager: false }))).toBe('/x')
  })

  it('is the not-found page without access to the region', () => {
    expect(defaultPath('port-meridian', null)).toBe('/port-meridian/404')
  })

  it('is the first enabled page if the live map is not allowed', () => {
    expect(defaultPage(accessWith({}, ['parking', 'trips']))).toBe('parking')
    const settings = { vehicleAndTripCounts: false, mobilityMetrics: false }
    expect(defaultPage(accessWith(settings, []))).toBe('export')
  })

  it('is always an enabled page', () => {
    const settings = fc
      .subarray([...featureKeys])
      .map((on) => Object.fromEntries(featureKeys.map((key) => [key, on.includes(key)])))
    expect(() =>
      fc.assert(
        fc.property(settings, fc.option(fc.subarray([...MapName.options])), (flags, maps) => {
          const page = defaultPage(accessWith(flags, maps))
          // The Mobility Manager can always open with its geographies.
          return page === null ? !flags['mobilityManager'] : isPageEnabled(accessWith(flags, maps), page)
        }),
      ),
    ).not.toThrow()
  })
})

it('has a screen for the default page', () => {
  expect(defaultPage(accessWith({ mobilityManager: false }))).toBe('curbMetrics')
  expect(defaultPage(accessWith({}, []))).toBe('tripCounts')
})
