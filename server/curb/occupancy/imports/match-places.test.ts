import { expect, test } from 'vitest'
import type { FilePlace } from './count-sink.ts'
import { matchPlace, normalizeStreet, type ZoneNames } from './match-places.ts'
import { detectDayOrder, readFileTime, readTimeOfDay } from './local-time.ts'

const zone = (id: string, street: string, side: string, lon: number) => ({
  id,
  street: normalizeStreet(street),
  side,
  geometry: {
    type: 'LineString' as const,
    coordinates: [
      [lon, 41],
      [lon + 0.0005, 41],
    ] as [number, number][],
  },
  box: [lon, 41, lon + 0.0005, 41] as const,
})
const zones = [
  zone('z1', '1st Street', 'n', -72),
  zone('z2', '1st Street', 's', -72.001),
  zone('z3', 'Oak Ave', 'e', -72.002),
]
const names: ZoneNames = {
  byId: new Map([
    ['z1', new Set(['z1'])],
    ['1017', new Set(['z2'])],
  ]),
  byName: new Map([[normalizeStreet('Oak 200 block'), new Set(['z3'])]]),
  byStreet: new Map([
    ['1st st', zones.slice(0, 2)],
    ['oak ave', zones.slice(2)],
  ]),
  zones,
  chosen: new Map([['by hand', ['z1', 'z3']]]),
}
const place = (overrides: Partial<FilePlace>): FilePlace => ({
  key: 'key',
  label: '',
  names: [],
  street: '',
  side: '',
  lon: null,
  lat: null,
  ...overrides,
})
const match = (overrides: Partial<FilePlace>) => {
  const result = matchPlace(place(overrides), names)
  return [result.match, result.zoneIds]
}

test('Places are matched by choice of a user, id, name, position, or street and side', () => {
  expect(match({ key: 'by hand' })).toEqual(['hand', ['z1', 'z3']])
  expect(match({ names: ['01017'] })).toEqual(['id', ['z2']])
  expect(match({ names: ['OAK 200 BLOCK'] })).toEqual(['name', ['z3']])
  expect(match({ lon: -71.9998, lat: 41.0001, street: 'Elm St' })).toEqual(['nearest', ['z1']])
  expect(match({ lon: -71.9, lat: 41 })).toEqual(['none', []])
  expect(match({ street: '01ST STREET' })).toEqual(['street', ['z1', 'z2']])
  expect(match({ street: '1st St.', side: 'South' })).toEqual(['street', ['z2']])
  expect(match({ street: '1st St', side: 'Left' })).toEqual(['street', ['z1', 'z2']])
})

test('Times are read in the formats that cities use', () => {
  const time = (text: string, order: 'mdy' | 'dmy' = 'mdy') => readFileTime(text, order)
  const eight = { day: Date.UTC(2023, 2, 4) / 86_400_000, seconds: 8 * 3600 }
  for (const text of [
    '2023-03-04T08:00:00',
    '03/04/2023 08:00:00 AM',
    '4-MAR-23 08:00',
    '20230304 0800',
    'Mar 4, 2023 8:00 am',
  ])
    expect([text, time(text)]).toEqual([text, eight])
  expect(time('04/03/2023 8:00', 'dmy')).toEqual(eight)
  expect(time('2023-03-04T08:00:00Z')).toEqual({ ms: Date.UTC(2023, 2, 4, 8) })
  expect(time('2023-02-30 08:00')).toBeNull()
  expect(time('2023-03-04 25:00')).toBeNull()
  expect(readTimeOfDay('12:30 a.m.')).toBe(1800)
  expect(detectDayOrder(['03/04/2023', '13/04/2023'])).toBe('dmy')
  expect(detectDayOrder(['03/14/2023', '03/04/2023'])).toBe('mdy')
})
