import { expect, test } from 'vitest'
import type { FilePlace } from './count-sink.ts'
import { matchPlace, normalizeStreet, type ZoneNames } from './match-places.ts'

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
  chosenZones: new Map([['by hand', ['z1', 'z3']]]),
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

test.each([
  ['choice of a user', { key: 'by hand' }, ['hand', ['z1', 'z3']]],
  ['id without leading zeros', { names: ['01017'] }, ['id', ['z2']]],
  ['name in any case', { names: ['OAK 200 BLOCK'] }, ['name', ['z3']]],
  ['position, before a street', { lon: -71.9998, lat: 41.0001, street: 'Elm St' }, ['nearest', ['z1']]],
  ['nothing if the position is far away', { lon: -71.9, lat: 41 }, ['none', []]],
  ['street in any spelling', { street: '01ST STREET' }, ['street', ['z1', 'z2']]],
  ['street and side', { street: '1st St.', side: 'South' }, ['street', ['z2']]],
  ['street if its side is unknown', { street: '1st St', side: 'Left' }, ['street', ['z1', 'z2']]],
])('A place is matched by %s', (_label, overrides, expected) => expect(match(overrides)).toEqual(expected))
