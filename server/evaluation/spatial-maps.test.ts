import { beforeEach, describe, expect, it } from 'vitest'
import { SpatialRequest, type TimeBucket } from '#contract/spatial.ts'
import type { LayerMembership } from '#server/geography/layer-membership.ts'
import { viewerScope } from '#server/identity/scope.ts'
import type { Facts } from '#server/stores/facts.ts'
import { renderSql, type Sql } from '#server/stores/sql.ts'
import { fakeState } from '../../test/engines/fake-state.ts'
import type { RouteIntersections } from '#server/mobility/trip-routes/intersections/route-intersections.ts'
import { ShapeQueries } from './shape-queries.ts'
import type { CubedRows } from './cubed-rows.ts'
import { SpatialMaps } from './spatial-maps.ts'

const id = 'aaaaaaaa-0000-4000-8000-000000000001'
const scope = viewerScope('o', ['r'], 'u')
const question = (some: Partial<SpatialRequest> = {}): SpatialRequest => ({
  ...SpatialRequest.parse({
    mode: 'trips',
    aggregation: 'origins',
    start_date: '2026-03-01',
    end_date: '2026-03-10',
    shape_layer_uuid: id,
  }),
  ...some,
})
const asker = (signal: AbortSignal) => ({ scope, at: new Date(0), signal })
const staying = new AbortController().signal

interface Asked {
  text: string
  parameters: Record<string, unknown>
  answer: () => void
}

let asked: Asked[]
let version: { facts_version: string }
let maps: SpatialMaps
let touches: { known: unknown[]; shapeIds: string[] }

beforeEach(() => {
  asked = []
  version = { facts_version: '1' }
  touches = { known: [], shapeIds: ['s1', 's2'] }
  const layer = { layer_id: id, content_hash: 'h', modified_time: new Date(0), intersect_route: true }
  const facts = {
    rows: (inScope: typeof scope, sql: Sql, { signal }: { signal: AbortSignal }) =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('killed')))
        asked.push({ ...renderSql(sql, inScope), answer: () => resolve([{ shape: 1 }]) })
      }),
  } as unknown as Facts
  const membership = {
    of: () => Promise.resolve({ indexes: [], shapeIds: ['s1', 's2'] }),
  } as unknown as LayerMembership
  const { state } = fakeState({
    layer: [layer],
    region: [
      {
        ...version,
        timezone: 'UTC',
        get facts_version() {
          return version.facts_version
        },
      },
    ],
  })
  const ways = {
    ready: (_scope: unknown, known: unknown) => {
      touches.known.push(known)
      return Promise.resolve({ listId: id, shapeIds: touches.shapeIds })
    },
  } as unknown as RouteIntersections
  maps = new SpatialMaps(state, new ShapeQueries(state, facts, membership), ways, {
    of: () => Promise.resolve(null),
  } as unknown as CubedRows)
})

/** Asks and answers. */
const ask = async (some: Partial<SpatialRequest> = {}, bucket: TimeBucket | null = null) => {
  const before = asked.length
  const found = maps.rows(asker(staying), 'r', question(some), bucket)
  await new Promise((resolve) => setTimeout(resolve))
  asked.slice(before).forEach(({ answer }) => answer())
  return found
}

describe('SpatialMaps', () => {
  it('asks once for the same question, however it is put', async () => {
    expect(await ask({ operators: ['b', 'a'], days: [2, 1] })).toMatchObject({
      from: 'facts',
      shapeIds: ['s1', 's2'],
    })
    expect(await ask({ operators: ['a', 'b'], days: [1, 2] })).toMatchObject({ from: 'kept' })
    // The same rows hold every aggregation.
    expect(
      await ask({ operators: ['a', 'b'], days: [1, 2], aggregation: 'average_destination_distance' }),
    ).toMatchObject({ from: 'kept' })
    expect(asked).toHaveLength(1)
  })

  it('asks anew for another question, and once the facts are others', async () => {
    await ask()
    for (const other of [
      { start_date: '2026-02-28' },
      { buffer: 10 },
      { vehicle_type: 'car' as const },
      { hour_filters: [0, 12] as [number, number] },
      { shape_filter: 's2' },
      { days: [1] },
      { days: [1, 2] },
      { operators: ['a'] },
    ]) {
      const before = asked.length
      const found = maps.rows(asker(staying), 'r', question(other), null)
      await new Promise((resolve) => setTimeout(resolve))
      expect(asked.length).toBe(before + 1)
      asked.at(-1)?.answer()
      expect((await found).from).toBe('facts')
    }
    expect((await ask({}, 'day')).from).toBe('facts')
    expect((await ask()).from).toBe('kept')
    version.facts_version = '2'
    expect((await ask()).from).toBe('facts')
  })

  it('puts days in order and never a value into the text', async () => {
    await ask({ operators: ["x'; drop table trips"] })
    expect(asked[0]?.text).not.toContain('drop')
    expect(asked[0]?.text).toContain('region_id in {scope_regions:Array(String)}')
    expect(Object.values(asked[0]?.parameters ?? {})).toEqual(
      expect.arrayContaining(['r', '2026-03-01', '2026-03-10', ["x'; drop table trips"], ['r']]),
    )
  })

  it('refuses a selected shape that is not in the layer', async () => {
    await expect(
      maps.rows(asker(staying), 'r', question({ shape_filter: 'elsewhere' }), null),
    ).rejects.toMatchObject({ code: 'not_found' })
    expect(asked).toEqual([])
  })

  it('answers those who stay when the one who asked first goes away', async () => {
    const leaving = new AbortController()
    const first = maps.rows(asker(leaving.signal), 'r', question(), null)
    await new Promise((resolve) => setTimeout(resolve))
    const second = maps.rows(asker(staying), 'r', question(), null)
    await new Promise((resolve) => setTimeout(resolve))
    expect(asked).toHaveLength(1)
    leaving.abort()
    await expect(first).rejects.toThrow('killed')
    await new Promise((resolve) => setTimeout(resolve))
    expect(asked).toHaveLength(2)
    asked[1]?.answer()
    expect((await second).rows).toMatchObject([{ shape: 1 }])
  })

  it('keeps no failure', async () => {
    const leaving = new AbortController()
    const first = maps.rows(asker(leaving.signal), 'r', question(), null)
    await new Promise((resolve) => setTimeout(resolve))
    leaving.abort()
    await expect(first).rejects.toThrow('killed')
    expect((await ask()).from).toBe('facts')
  })

  it('knows the ways of the asked days first where they are asked for, once a question', async () => {
    expect((await ask({ aggregation: 'intersect', buffer: 20 })).from).toBe('facts')
    expect(touches.known).toMatchObject([
      { regionId: 'r', buffer: 20, from: '2026-03-01', until: '2026-03-10' },
    ])
    expect(Object.values(asked[0]?.parameters ?? {})).toContain(id)
    expect((await ask({ aggregation: 'intersect', buffer: 20 })).from).toBe('kept')
    expect((await ask({ buffer: 20 })).from).toBe('facts')
    expect([touches.known.length, asked.length]).toEqual([1, 2])
  })

  it('does not mix up shapes where the layer changes while it asks', async () => {
    touches.shapeIds = ['s2', 's1']
    await expect(
      maps.rows(asker(staying), 'r', question({ aggregation: 'intersect' }), null),
    ).rejects.toMatchObject({ code: 'conflict' })
  })
})
