import { describe, expect, it, test } from 'vitest'
import type { LinkableZone, LinkableZones } from './linkable-zones.ts'
import { findSideInName, suggestZones } from './suggest-links.ts'

const createZone = (id: string, side: string, line: [number, number][]): LinkableZone => ({
  id,
  label: id,
  side,
  geometry: { type: 'LineString', coordinates: line },
})
const toLatitude = (meters: number): number => 41 + meters / 111_320
/** Two curbs of a street, 10 m apart, and one around the corner. */
const zones = [
  createZone('north', 'N', [
    [-72, toLatitude(5)],
    [-71.999, toLatitude(5)],
  ]),
  createZone('south', 'S', [
    [-72, toLatitude(-5)],
    [-71.999, toLatitude(-5)],
  ]),
  createZone('far', 'E', [
    [-71.9985, toLatitude(0)],
    [-71.9985, toLatitude(40)],
  ]),
]
const toCell = (degrees: number): number => Math.floor(degrees / 0.001)
const linkable: LinkableZones = {
  byId: new Map([['m7', 'far']]),
  zones: new Map(zones.map((zone) => [zone.id, zone])),
  grid: new Map(
    [-1, 0, 1, 2].flatMap((x) =>
      [-1, 0, 1].map((y) => [`${toCell(-72) + x} ${toCell(41) + y}`, zones] as const),
    ),
  ),
}
const suggestAt = (meters: number, name = '', location_id = 'meter:M1') =>
  suggestZones(linkable, { location_id, name, lon: -71.9995, lat: toLatitude(meters) })

describe('suggestZones', () => {
  it('returns the nearest zones, clear if no other is about as near', () => {
    expect(suggestAt(4).map(({ curb_zone_id: id, reason, is_clear }) => [id, reason, is_clear])).toEqual([
      ['north', 'near', true],
      ['south', 'near', false],
    ])
    expect(suggestAt(1).map(({ curb_zone_id: id, is_clear }) => [id, is_clear])).toEqual([
      ['north', false],
      ['south', false],
    ])
    expect(suggestAt(30)[0]).toMatchObject({ curb_zone_id: 'north', is_clear: false })
    expect(suggestZones(linkable, { location_id: 'meter:M1', name: '', lon: null, lat: null })).toEqual([])
  })

  it('puts the zone with its id first, then those on the side in its name', () => {
    expect(suggestAt(1, '5th St, south side')[0]).toMatchObject({
      curb_zone_id: 'south',
      reason: 'side',
      is_clear: true,
    })
    expect(suggestAt(1, '5th St', 'meter:M7').map(({ curb_zone_id: id, reason }) => [id, reason])).toEqual([
      ['far', 'id'],
      ['north', 'near'],
      ['south', 'near'],
    ])
  })
})

test('A location has a side only if its name contains one as such', () => {
  expect(
    ['5th St (NE)', 'Main, north-east side', 'Pike W side', 'North Street', 'S Main St 400', 'E 5th'].map(
      findSideInName,
    ),
  ).toEqual(['NE', 'NE', 'W', null, null, null])
})
