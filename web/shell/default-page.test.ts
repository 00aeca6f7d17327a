import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MapName } from '#contract/regions.ts'
import { featureKeys } from '#contract/settings.ts'
import { defaultPath, defaultCurbPage, defaultPage } from './default-page.ts'
import { isPageEnabled, type AccessContext } from './features.ts'

const standing = (
  settings: AccessContext['settings'],
  allowedMaps: MapName[] | null = null,
): AccessContext => ({
  settings,
  region: { allowedMaps, hasMdsData: true },
  can: () => false,
})
const inOrder = [
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
    expect(defaultPage(standing({}))).toBe('live')
    expect(defaultPage(standing({ curbManager: false, home: true }))).toBe('live')
    expect(defaultPath('port-meridian', standing({}))).toBe('/port-meridian/mobility/maps/live')
  })

  it('is otherwise the first curb page that is on, in the order given', () => {
    const off: AccessContext['settings'] = { mobilityManager: false }
    for (const [page, flag] of inOrder) {
      expect(defaultPage(standing(off))).toBe(page)
      expect(defaultCurbPage(standing(off))).toBe(page)
      Object.assign(off, { [flag]: false })
    }
    expect(defaultPage(standing(off))).toBeNull()
    expect(defaultPath('port-meridian', standing(off))).toBe('/port-meridian')
  })

  it('is no page of a product that is off', () => {
    expect(defaultCurbPage(standing({ curbManager: false }))).toBeNull()
    expect(defaultPath('x', standing({ mobilityManager: false, curbManager: false }))).toBe('/x')
  })

  it('without access to the region is the page of what is not found', () => {
    expect(defaultPath('port-meridian', null)).toBe('/port-meridian/404')
  })

  it('where the live map is not allowed is the first page that is', () => {
    expect(defaultPage(standing({}, ['parking', 'trips']))).toBe('parking')
    expect(defaultPage(standing({ vehicleAndTripCounts: false, mobilityMetrics: false }, []))).toBe('export')
  })

  it('is always a page that is on', () => {
    const settings = fc
      .subarray([...featureKeys])
      .map((on) => Object.fromEntries(featureKeys.map((key) => [key, on.includes(key)])))
    expect(() =>
      fc.assert(
        fc.property(settings, fc.option(fc.subarray([...MapName.options])), (flags, maps) => {
          const page = defaultPage(standing(flags, maps))
          // The Mobility Manager always has its geographies to open with.
          return page === null ? !flags['mobilityManager'] : isPageEnabled(standing(flags, maps), page)
        }),
      ),
    ).not.toThrow()
  })
})
