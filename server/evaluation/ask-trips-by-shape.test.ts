import { beforeEach, describe, expect, it } from 'vitest'
import { SpatialQuestion } from '#contract/evaluation.ts'
import type { LayerMembership } from '#server/geography/layer-membership.ts'
import { viewerScope } from '#server/identity/scope.ts'
import type { Facts } from '#server/stores/facts.ts'
import { renderSql, type Sql } from '#server/stores/sql.ts'
import { fakeState } from '../../test/engines/fake-state.ts'
import { TripsByShape } from './ask-trips-by-shape.ts'

const id = 'aaaaaaaa-0000-4000-8000-000000000001'
const scope = viewerScope('o', ['r'], 'u')
const question = (some: Partial<SpatialQuestion> = {}) => SpatialQuestion.parse({ region_id: 'r', start_date: '2026-03-01', end_date: '2026-03-10', shape_layer_uuid: id, ...some })
const staying = new AbortController().signal

interface Asked {
  text: string
  parameters: Record<string, unknown>
  answer: () => void
}

let asked: Asked[]
let version: { facts_version: string }
let trips: TripsByShape

beforeEach(() => {
  asked = []
  version = { facts_version: '1' }
  const layer = { layer_id: id, content_hash: 'h', modified_time: new Date(0) }
  const facts = {
    rows: (inScope: typeof scope, sql: Sql, { signal }: { signal: AbortSignal }) =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('killed')))
        asked.push({ ...renderSql(sql, inScope), answer: () => resolve([{ shape: 1 }]) })
      }),
  } as unknown as Facts
  const membership = { of: () => Promise.resolve({ indexes: [], shapeIds: ['s1', 's2'] }) } as unknown as LayerMembership
  trips = new TripsByShape(fakeState({ layer: [layer], region: [version] }).state, facts, membership)
})

/** Asks and answers. */
const ask = async (some: Partial<SpatialQuestion> = {}, byDay = false) => {
  const before = asked.length
  const found = trips.ask(scope, question(some), byDay, staying)
  await new Promise((resolve) => setTimeout(resolve))
  asked.slice(before).forEach(({ answer }) => answer())
  return found
}

describe('TripsByShape', () => {
  it('asks once for the same question, however it is put', async () => {
    expect(await ask({ operators: ['b', 'a'], days: [2, 1] })).toMatchObject({ from: 'facts', shapeIds: ['s1', 's2'] })
    expect(await ask({ operators: ['a', 'b'], days: [1, 2] })).toMatchObject({ from: 'kept' })
    expect(await ask({ operators: ['a', 'b'], days: [1, 2], start_date: '2026-03-10', end_date: '2026-03-01' })).toMatchObject({ from: 'kept' })
    // The same rows hold every aggregation.
    expect(await ask({ operators: ['a', 'b'], days: [1, 2], direction: 'average_destination_distance' })).toMatchObject({ from: 'kept' })
    expect(asked).toHaveLength(1)
  })

  it('asks anew for another question, and once the facts are others', async () => {
    await ask()
    for (const other of [{ start_date: '2026-02-28' }, { buffer: 10 }, { vehicle_type: 'car' as const }, { hour_filters: [0, 12] as [number, number] }, { shape_filter: 's2' }, { days: [1] }, { days: [1, 2] }, { operators: ['a'] }]) {
      const before = asked.length
      const found = trips.ask(scope, { ...question(), ...other }, false, staying)
      await new Promise((resolve) => setTimeout(resolve))
      expect(asked.length).toBe(before + 1)
      asked.at(-1)?.answer()
      expect((await found).from).toBe('facts')
    }
    expect((await ask({}, true)).from).toBe('facts')
    expect((await ask()).from).toBe('kept')
    version.facts_version = '2'
    expect((await ask()).from).toBe('facts')
  })

  it('puts days in order and never a value into the text', async () => {
    await ask({ start_date: '2026-03-10', end_date: '2026-03-01', operators: ["x'; drop table trips"] })
    expect(asked[0]?.text).not.toContain('drop')
    expect(asked[0]?.text).toContain('region_id in {scope_regions:Array(String)}')
    expect(Object.values(asked[0]?.parameters ?? {})).toEqual(expect.arrayContaining(['r', '2026-03-01', '2026-03-10', ["x'; drop table trips"], ['r']]))
  })

  it('refuses a selected shape that is not in the layer', async () => {
    await expect(trips.ask(scope, { ...question(), shape_filter: 'elsewhere' }, false, staying)).rejects.toMatchObject({ code: 'not_found' })
    expect(asked).toEqual([])
  })

  it('answers those who stay when the one who asked first goes away', async () => {
    const leaving = new AbortController()
    const first = trips.ask(scope, question(), false, leaving.signal)
    await new Promise((resolve) => setTimeout(resolve))
    const second = trips.ask(scope, question(), false, staying)
    await new Promise((resolve) => setTimeout(resolve))
    expect(asked).toHaveLength(1)
    leaving.abort()
    await expect(first).rejects.toThrow('killed')
    await new Promise((resolve) => setTimeout(resolve))
    expect(asked).toHaveLength(2)
    asked[1]?.answer()
    expect((await second).rows).toEqual([{ shape: 1 }])
  })

  it('keeps no failure', async () => {
    const leaving = new AbortController()
    const first = trips.ask(scope, question(), false, leaving.signal)
    await new Promise((resolve) => setTimeout(resolve))
    leaving.abort()
    await expect(first).rejects.toThrow('killed')
    expect((await ask()).from).toBe('facts')
  })
})
