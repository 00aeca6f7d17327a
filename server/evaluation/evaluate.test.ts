import { beforeEach, describe, expect, it } from 'vitest'
import { SpatialRequest, type TimeBucket } from '#contract/spatial.ts'
import type { LayerMembership } from '#server/geography/membership/layer-membership.ts'
import { viewerScope } from '#server/identity/scope.ts'
import type { RouteIntersections } from '#server/routes/intersections/route-intersections.ts'
import type { Facts } from '#server/stores/facts.ts'
import { renderSql, type Sql } from '#server/stores/sql.ts'
import { fakeState } from '../../test/engines/fake-state.ts'
import type { CubedRows } from './cubed-rows.ts'
import { type Evaluation, Evaluator } from './evaluate.ts'
import type { StoredRow } from './modes/mode.ts'

const id = 'aaaaaaaa-0000-4000-8000-000000000001'
const scope = viewerScope('o', ['r'], 'u')
const question = (overrides: Partial<SpatialRequest> = {}): SpatialRequest => ({
  ...SpatialRequest.parse({
    mode: 'trips',
    aggregation: 'origins',
    start_date: '2026-03-01',
    end_date: '2026-03-10',
    shape_layer_uuid: id,
  }),
  ...overrides,
})
const nextTick = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))

interface RunQuery {
  text: string
  parameters: Record<string, unknown>
  complete: () => void
}

let queries: RunQuery[]
let version: { facts_version: string }
let evaluator: Evaluator
let sums: { rows: StoredRow[]; shapeIds: string[] } | null
let indexReads: number
let intersections: { requests: unknown[]; shapeIds: string[] }

beforeEach(() => {
  queries = []
  sums = null
  indexReads = 0
  version = { facts_version: '1' }
  intersections = { requests: [], shapeIds: ['s1', 's2'] }
  const layer = { layer_id: id, content_hash: 'h', modified_time: new Date(0), intersect_route: true }
  const facts = {
    rows: (inScope: typeof scope, sql: Sql, { signal }: { signal: AbortSignal }) =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('canceled')))
        queries.push({ ...renderSql(sql, inScope), complete: () => resolve([{ shape: 1 }]) })
      }),
  } as unknown as Facts
  const region = { region_id: 'r', timezone: 'UTC' }
  evaluator = new Evaluator({
    state: fakeState({ layer: [layer], region: [region], region_facts: [version] }).state,
    facts,
    membership: {
      forLayer: () => {
        indexReads++
        return Promise.resolve({ indexes: [], shapeIds: ['s1', 's2'] })
      },
    } as unknown as LayerMembership,
    intersections: {
      prepare: (_scope: unknown, request: unknown) => {
        intersections.requests.push(request)
        return Promise.resolve({ listId: id, shapeIds: intersections.shapeIds })
      },
    } as unknown as RouteIntersections,
    cubes: { read: () => Promise.resolve(sums) } as unknown as CubedRows,
  })
})

const start = (
  overrides: Partial<SpatialRequest> = {},
  bucket: TimeBucket | null = null,
  signal = new AbortController().signal,
): Promise<Evaluation> =>
  evaluator.evaluate(
    { scope, at: new Date(0), signal },
    { regionId: 'r', request: question(overrides), bucket },
  )

/** Evaluates a question, and completes its query if it runs one. */
const evaluate = async (overrides?: Partial<SpatialRequest>, bucket?: TimeBucket): Promise<Evaluation> => {
  const before = queries.length
  const evaluation = start(overrides, bucket)
  await nextTick()
  queries.slice(before).forEach(({ complete }) => complete())
  return evaluation
}

describe('Evaluator', () => {
  it('runs one query for equal questions', async () => {
    expect(await evaluate({ operators: ['b', 'a'], days: [2, 1] })).toMatchObject({
      from: 'facts',
      shapeIds: ['s1', 's2'],
    })
    expect(await evaluate({ operators: ['a', 'b'], days: [1, 2] })).toMatchObject({ from: 'cache' })
    // All counts use the same rows; means need more sums.
    const aggregated = { operators: ['a', 'b'], days: [1, 2] }
    expect(await evaluate({ ...aggregated, aggregation: 'destinations' as const })).toMatchObject({
      from: 'cache',
    })
    expect(queries).toHaveLength(1)
    const means = { ...aggregated, aggregation: 'average_destination_distance' as const }
    expect(await evaluate(means)).toMatchObject({ from: 'facts' })
    expect(await evaluate(means)).toMatchObject({ from: 'cache' })
  })

  it('runs a query for each different question, and when facts change', async () => {
    await evaluate()
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
      const before = queries.length
      expect((await evaluate(other)).from).toBe('facts')
      expect(queries.length).toBe(before + 1)
    }
    expect((await evaluate({}, 'day')).from).toBe('facts')
    expect((await evaluate()).from).toBe('cache')
    version.facts_version = '2'
    expect((await evaluate()).from).toBe('facts')
  })

  it('binds values and adds the Scope', async () => {
    await evaluate({ operators: ["x'; drop table trips"] })
    expect(queries[0]?.text).not.toContain('drop')
    expect(queries[0]?.text).toContain('region_id in {scope_regions:Array(String)}')
    expect(Object.values(queries[0]?.parameters ?? {})).toEqual(
      expect.arrayContaining(['r', '2026-03-01', '2026-03-10', ["x'; drop table trips"], ['r']]),
    )
  })

  it('rejects a selected shape that is not in the layer', async () => {
    await expect(start({ shape_filter: 'elsewhere' })).rejects.toMatchObject({ code: 'not_found' })
    expect(queries).toEqual([])
  })

  it('serves a second request when the first one is canceled', async () => {
    const canceling = new AbortController()
    const first = start({}, null, canceling.signal)
    await nextTick()
    const second = start()
    await nextTick()
    expect(queries).toHaveLength(1)
    canceling.abort()
    await expect(first).rejects.toThrow('canceled')
    await nextTick()
    expect(queries).toHaveLength(2)
    queries[1]?.complete()
    expect((await second).rows).toMatchObject([{ shape: 1 }])
  })

  it('reads no index of the layer if the cubes contain the sums', async () => {
    sums = { rows: [{ shape: 2, trips: 7 }], shapeIds: ['s1', 's2'] }
    const expected = { rows: [{ shape: 2, sums: { trips: 7 } }], shapeIds: ['s1', 's2'] }
    expect(await evaluate()).toMatchObject({ ...expected, from: 'cubes' })
    expect(await evaluate()).toMatchObject({ ...expected, from: 'cache' })
    expect([indexReads, queries.length]).toEqual([0, 0])
    await evaluate({ buffer: 20 })
    expect(indexReads).toBe(1)
  })

  it('does not cache failures', async () => {
    const canceling = new AbortController()
    const first = start({}, null, canceling.signal)
    await nextTick()
    canceling.abort()
    await expect(first).rejects.toThrow('canceled')
    expect((await evaluate()).from).toBe('facts')
  })

  it('indexes the routes of the period once per question if the mode needs them', async () => {
    expect((await evaluate({ aggregation: 'intersect', buffer: 20 })).from).toBe('facts')
    expect(intersections.requests).toMatchObject([
      { regionId: 'r', buffer: 20, from: '2026-03-01', until: '2026-03-10' },
    ])
    expect(Object.values(queries[0]?.parameters ?? {})).toContain(id)
    expect((await evaluate({ aggregation: 'intersect', buffer: 20 })).from).toBe('cache')
    expect((await evaluate({ buffer: 20 })).from).toBe('facts')
    expect([intersections.requests.length, queries.length]).toEqual([1, 2])
  })

  it('reports a conflict if the layer changes during the evaluation', async () => {
    intersections.shapeIds = ['s2', 's1']
    await expect(start({ aggregation: 'intersect' })).rejects.toMatchObject({ code: 'conflict' })
  })
})
