import { describe, expect, it } from 'vitest'
import type { Region } from '#contract/regions.ts'
import { allowedPages, areas, placeOf } from './areas.ts'

const region = (allowedMaps: Region['allowedMaps']): Region => ({
  regionId: 'port-meridian', text: 'Port Meridian', lat: 0, lon: 0, mapZoom: 12, currencyCode: 'USD', organizationId: '8f14e45f-ceea-467f-a0e6-7a1d2b3c4d5e', timezone: 'America/New_York',
  isMetric: false, distanceUnits: 'mi', logoFilename: null, hasMdsData: true, hasMonthlyZip: false, allowedMaps, privacyMinimum: 0,
})

describe('the shelf', () => {
  it('knows the area and page of an address', () => {
    expect(placeOf('/port-meridian/mobility/maps/trips')).toMatchObject({ area: { key: 'maps' }, page: { key: 'trips' } })
    expect(placeOf('/port-meridian/mobility/trip-files')).toMatchObject({ area: { key: 'dataIn' } })
    expect(placeOf('/admin/regions')).toBeNull()
    expect(placeOf('/port-meridian')).toBeNull()
  })

  it('shows the maps that the region allows; without a list all', () => {
    const maps = areas[0]!
    expect(allowedPages(maps, region(['trips', 'live'])).map((page) => page.key)).toEqual(['live', 'trips'])
    expect(allowedPages(maps, region(null))).toHaveLength(7)
  })
})

describe('every page of the shelf', () => {
  const all = areas.flatMap((area) => area.pages.map((page) => ({ area, page })))

  it.each(all.map((each) => [each.page.path, each] as const))('%s is known by its address, and by those below it', (path, { area, page }) => {
    for (const address of [`/port-meridian/${path}`, `/port-meridian/${path}/more/of/it`]) expect(placeOf(address)).toEqual({ area, page })
    expect(placeOf(`/port-meridian/${path}more`)?.page).not.toBe(page)
  })

  it('has a name and a path of its own', () => {
    expect(new Set(all.map(({ page }) => page.key)).size).toBe(all.length)
    expect(new Set(all.map(({ page }) => page.path)).size).toBe(all.length)
    expect(new Set(areas.map(({ key }) => key)).size).toBe(areas.length)
  })

  it('can be reached: an area without a drawer has one page', () => {
    expect(areas.filter(({ drawer, pages }) => !drawer && pages.length > 1)).toEqual([])
  })

  it('that is no map is there in every region', () => {
    for (const area of areas) expect(allowedPages(area, region([]))).toEqual(area.pages.filter(({ map }) => map === undefined))
  })
})
