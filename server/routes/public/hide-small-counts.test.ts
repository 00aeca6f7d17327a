import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { StreetSegmentSet } from '../route-streets.ts'
import { hideSmallCounts } from './hide-small-counts.ts'
import { listEndedMonths } from './public-months.ts'
import { positions } from '../../../test/positions.ts'

const noTrips = { trips: 0, trips_with_way: 0 }
const ids = Array.from({ length: 12 }, (_, index) => String(index))
const streets: StreetSegmentSet = {
  version: 'v',
  segments: new Map(
    ids.slice(0, 10).map((id, index) => [
      id,
      {
        id,
        street: `Street ${index % 3}`,
        class: '',
        lengthM: 1,
        heading: 0,
        box: [0, 0, index, index],
        coordinates: positions('0 0, 1 1'),
      },
    ]),
  ),
}

describe('public volumes', () => {
  it('are the sum of both directions, and exclude segments below the minimum', () => {
    const volume = fc.record({ forward: fc.nat(12), backward: fc.nat(12) })
    fc.assert(
      fc.property(
        fc.array(volume, { minLength: 12, maxLength: 12 }),
        fc.nat(20),
        (drawnVolumes, minTrips) => {
          const volumes = new Map(ids.map((id, index) => [id, drawnVolumes[index]!]))
          const response = hideSmallCounts('2026-02', volumes, streets, { totals: noTrips, minTrips })
          const tripsById = Object.fromEntries(
            response.segment_ids.map((id, index) => [id, response.trips[index]]),
          )
          for (const id of ids) {
            const { forward, backward } = volumes.get(id)!
            expect(tripsById[id]).toBe(
              streets.segments.has(id) && forward + backward >= Math.max(1, minTrips)
                ? forward + backward
                : undefined,
            )
          }
          expect(
            response.segment_ids.map(
              (id, index) => response.streets[response.street[index]!] === streets.segments.get(id)?.street,
            ),
          ).not.toContain(false)
          expect(new Set(response.streets).size).toBe(response.streets.length)
          expect(response).toMatchObject({ month: '2026-02', privacy_minimum: minTrips })
        },
      ),
    )
  })

  it('are empty without streets', () => {
    expect(
      hideSmallCounts('2026-02', new Map([['1', { forward: 99, backward: 99 }]]), null, {
        totals: noTrips,
        minTrips: 10,
      }),
    ).toMatchObject({ segment_ids: [], trips: [], streets: [] })
  })
})

it.each([
  [1000, 614, 0.61],
  [20, 20, 1],
  [20, 10, 0.5],
  [20, 9, null],
  [20, 11, null],
  [0, 0, null],
])('of %d trips, %d with a route, the public share is %j', (trips, routes, share) =>
  expect(
    hideSmallCounts('2026-02', new Map(), streets, {
      totals: { trips, trips_with_way: routes },
      minTrips: 10,
    }).route_share,
  ).toBe(share),
)

describe('public months', () => {
  it('are those that have ended in the time zone of the region', () => {
    const at = new Date('2026-03-01T04:59:00Z')
    expect(listEndedMonths('2025-11-17', '2026-03-01', at, 'America/New_York')).toEqual([
      '2026-01',
      '2025-12',
      '2025-11',
    ])
    expect(listEndedMonths('2025-11-17', '2026-03-01', at, 'UTC')).toEqual([
      '2026-02',
      '2026-01',
      '2025-12',
      '2025-11',
    ])
    expect(listEndedMonths('2025-11-17', '2025-12-02', at, 'UTC')).toEqual(['2025-12', '2025-11'])
    expect(listEndedMonths('2026-03-01', '2026-03-01', at, 'UTC')).toEqual([])
  })
})
