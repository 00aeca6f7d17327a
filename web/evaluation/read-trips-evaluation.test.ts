import { describe, expect, it } from 'vitest'
import type { SpatialAnswer } from '#contract/evaluation.ts'
import { readTripsEvaluation } from './read-trips-evaluation.ts'

const counts = (value: number | null) => ({ orig: 1, dest: 2, count: 3, value, n: 3 })
const answer: SpatialAnswer = {
  shape_data: { a: counts(30), b: counts(12), NOT_IN_SHAPE: counts(8) },
  total: 50, aggregation: 'origins', unit: 'trips', days: 10, overlaps: false, method: { name: 'trips_spatial', version: 1, buffer: 0 }, milliseconds: 12, from: 'facts',
}
const shapes = [{ shape_uuid: 'a', shape_name: 'Harbour' }, { shape_uuid: 'b', shape_name: 'Mill' }, { shape_uuid: 'c', shape_name: 'New' }]

describe('readTripsEvaluation', () => {
  it('names the rows and adds them up', () => {
    const read = readTripsEvaluation(answer, shapes, true)
    expect(read.rows.map(({ name, value }) => [name, value])).toEqual([['Harbour', 30], ['Mill', 12]])
    expect(read.sum).toEqual({ shapes: 42, notInShape: 8, total: 50, kind: 'exact' })
  })
  it('divides the total too where numbers are per day', () => {
    expect(readTripsEvaluation({ ...answer, unit: 'trips_per_day', aggregation: 'daily_origins' }, shapes, true).sum?.total).toBe(5)
  })
  it('says where shapes may add up to more', () => {
    expect(readTripsEvaluation({ ...answer, overlaps: true }, shapes, true).sum?.kind).toBe('overlaps')
    expect(readTripsEvaluation({ ...answer, method: { ...answer.method, buffer: 50 } }, shapes, true).sum?.kind).toBe('overlaps')
    expect(readTripsEvaluation({ ...answer, aggregation: 'orig_or_dest' }, shapes, true).sum?.kind).toBe('both_ends')
  })
  it('shows distances in the unit of the region and adds none up', () => {
    const far = { ...answer, unit: 'metres' as const, shape_data: { a: counts(1609.344), b: counts(null) } }
    expect(readTripsEvaluation(far, shapes, false).rows.map((row) => row.value)).toEqual([1, null])
    expect(readTripsEvaluation(far, shapes, true).rows[0]?.value).toBeCloseTo(1.609)
    expect(readTripsEvaluation(far, shapes, true).sum).toBeNull()
  })
})
