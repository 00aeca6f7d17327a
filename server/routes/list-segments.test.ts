import { describe, expect, it, test } from 'vitest'
import { buildRouteVolumes } from './route-volumes.ts'
import { addCrossStreets, listSegments } from './list-segments.ts'
import type { NamedSegment, StreetSegmentSet } from './route-streets.ts'
import { positions } from '../../test/positions.ts'

const segment = (id: string, street: string, heading: number): NamedSegment => ({
  id,
  street,
  class: 'local',
  lengthM: 100.26,
  heading,
  box: [0, 0, 1, 1],
  coordinates: positions('0 0, 1 1'),
})
const streets: StreetSegmentSet = {
  version: 'v1',
  segments: new Map(
    [segment('1', 'Oak Street', 90), segment('2', 'Elm Street', 0), segment('3', 'Elm Street', 181)].map(
      (segment) => [segment.id, segment],
    ),
  ),
}
const volumes = new Map([
  ['1', { forward: 5, backward: 1 }],
  ['2', { forward: 0, backward: 6 }],
  ['3', { forward: 2, backward: 0 }],
  ['99', { forward: 50, backward: 50 }],
])

describe('the list of segments', () => {
  const list = (filters: Partial<Parameters<typeof listSegments>[2]>) =>
    listSegments(volumes, streets, { direction: 'both', order_by: '-trips', ...filters }).map(
      ({ segment_id, trips }) => [segment_id, trips],
    )

  it('is sorted, with ties in a stable order, and excludes deleted segments', () => {
    expect(list({})).toEqual([
      ['1', 6],
      ['2', 6],
      ['3', 2],
    ])
    expect(list({ order_by: 'trips' })).toEqual([
      ['3', 2],
      ['1', 6],
      ['2', 6],
    ])
    expect(list({ order_by: '-street' })).toEqual([
      ['1', 6],
      ['2', 6],
      ['3', 2],
    ])
    expect(list({ order_by: '-backward' })).toEqual([
      ['2', 6],
      ['1', 6],
      ['3', 2],
    ])
  })

  it('contains only segments with trips in the requested direction, or of the requested street', () => {
    expect(list({ direction: 'forward' })).toEqual([
      ['1', 5],
      ['3', 2],
    ])
    expect(list({ direction: 'south' })).toEqual([
      ['2', 6],
      ['3', 2],
    ])
    expect(list({ direction: 'north' })).toEqual([])
    expect(list({ text: ' ELM ' })).toEqual([
      ['2', 6],
      ['3', 2],
    ])
  })

  it('rounds lengths to a decimeter, and is empty without streets', () => {
    expect(listSegments(volumes, streets, { direction: 'both', order_by: 'street', text: 'oak' })).toEqual([
      {
        segment_id: '1',
        street: 'Oak Street',
        class: 'local',
        length_m: 100.3,
        heading: 90,
        trips: 6,
        forward: 5,
        backward: 1,
      },
    ])
    expect(listSegments(volumes, null, { direction: 'both', order_by: 'street' })).toEqual([])
  })
})

test('The list of segments names the streets that cross at the ends of a segment', () => {
  const at = (id: string, street: string, ...coordinates: [number, number][]) => ({
    ...segment(id, street, 90),
    coordinates,
  })
  const named = [
    at('1', 'Main Street', [0, 0], [1, 0]),
    at('2', 'Main Street', [1, 0], [2, 0]),
    at('3', 'A Street', [0, 0], [0, 1]),
    at('4', 'B Street', [1, 1], [1, 0]),
    at('5', '', [2, 0], [2, 1]),
  ]
  const set = { version: 'v1', segments: new Map(named.map((segment) => [segment.id, segment])) }
  const trips = new Map(['1', '2', '5'].map((id) => [id, { forward: 1, backward: 0 }]))
  const list = listSegments(trips, set, { direction: 'both', order_by: '-trips' })
  expect(addCrossStreets(list, set).map(({ cross_streets: names }) => names)).toEqual([
    ['A Street', 'B Street'],
    ['B Street'],
    ['Main Street'],
  ])
})

describe('the columns', () => {
  const totals = { trips: 9, trips_with_way: 8, trips_matched: 7, meters: 1, byHour: [] }
  it('contain each street name once and count deleted segments', () => {
    expect(buildRouteVolumes(volumes, totals, streets, 3)).toEqual({
      trips: 9,
      trips_with_way: 8,
      trips_matched: 7,
      segment_ids: ['1', '2', '3'],
      forward: [5, 0, 2],
      backward: [1, 6, 0],
      street: [0, 1, 1],
      length_m: [100.3, 100.3, 100.3],
      heading: [90, 0, 181],
      boxes: [
        [0, 0, 1, 1],
        [0, 0, 1, 1],
        [0, 0, 1, 1],
      ],
      streets: [
        { name: 'Oak Street', class: 'local' },
        { name: 'Elm Street', class: 'local' },
      ],
      gone_segments: 1,
      streets_version: 'v1',
      milliseconds: 3,
    })
    expect(buildRouteVolumes(volumes, totals, null, 3)).toMatchObject({
      segment_ids: [],
      gone_segments: 4,
      streets_version: null,
    })
  })
})
