import type { SpatialByTime, TimeBucket } from '#contract/spatial.ts'
import { notInShape } from '#contract/evaluation.ts'
import type { Bin } from '#contract/bins.ts'
import { shapeState } from '#web/map/layers/shape-states.ts'
import type { ShapeState } from '#web/map/map-layer.ts'
import { computeBins, getShapeBin } from '../by-shape/classify.ts'
import type { Evaluation, EvaluationRow, ShownUnit } from '../by-shape/evaluation.ts'
import { readUnit, readValue, type NamedShape } from '../by-shape/read-evaluation.ts'
import { sumRows } from '../by-shape/sum-rows.ts'
import type { AxisSteps } from './axis-playing.ts'

/** Bins are computed from a sample of about this size if there are more values. */
const maxSample = 200_000

/** Values by bucket, in units of the server or of the region. */
export type PlaybackResponse = Omit<SpatialByTime, 'unit'> & { unit: SpatialByTime['unit'] | ShownUnit }

interface PlaybackInput {
  response: PlaybackResponse
  by: TimeBucket
  /** The evaluation of the entire period, which determines how shapes add up. */
  overall: Evaluation
  shapes: readonly NamedShape[]
  /** Whether distances are shown in kilometers, otherwise in miles. */
  isMetric: boolean
}

/** The values of each bucket of a playback, in the same bins, so that colors are comparable. */
export class Playback {
  readonly by: TimeBucket
  readonly buckets: readonly string[]
  /** The value of the region by bucket. */
  readonly totals: readonly (number | null)[]
  readonly bins: readonly Bin[]
  readonly #response: PlaybackResponse
  readonly #overall: Evaluation
  /** The shapes of the layer that the response has, with their column in its values. */
  readonly #columns: readonly { id: string; name: string; column: number }[]
  readonly #isMetric: boolean
  #last: { bucket: number; evaluation: Evaluation } | null = null

  constructor({ response, by, overall, shapes, isMetric }: PlaybackInput) {
    this.by = by
    this.buckets = response.buckets
    this.#response = response
    this.#overall = overall
    this.#isMetric = isMetric
    const columns = new Map(response.shape_uuids.map((id, column) => [id, column]))
    this.#columns = shapes.flatMap(({ shape_uuid: id, shape_name: name }) => {
      const column = columns.get(id)
      return column === undefined ? [] : [{ id, name, column }]
    })
    this.totals = response.total.map((value) => this.#read(value))
    this.bins = computeBins(this.#sample())
  }

  /** The evaluation of one bucket; the same object for repeated calls. */
  resultAt(bucket: number): Evaluation {
    if (this.#last?.bucket !== bucket) this.#last = { bucket, evaluation: this.#evaluation(bucket) }
    return this.#last.evaluation
  }

  /** The states of all shapes in one bucket. A single pass without objects, because it runs at every step. */
  states(bucket: number): ReadonlyMap<string, ShapeState> {
    const values = this.#response.values[bucket] ?? []
    const states = new Map<string, ShapeState>()
    for (const { id, column } of this.#columns)
      states.set(id, shapeState(getShapeBin(this.#read(values[column] ?? null), this.bins)))
    return states
  }

  /** The steps of one shape; null if the response does not have it. */
  getShapeSteps(id: string): AxisSteps | null {
    const column = this.#columns.find((column) => column.id === id)?.column
    if (column === undefined) return null
    const totals = this.#response.values.map((values) => this.#read(values[column] ?? null))
    const unit = readUnit(this.#response.unit)
    return {
      by: this.by,
      buckets: this.buckets,
      totals,
      resultAt: (bucket) => ({ total: totals[bucket] ?? null, unit }),
    }
  }

  #evaluation(bucket: number): Evaluation {
    const { values, not_in_shape, unit, ways, method, milliseconds, from } = this.#response
    const toRow = (id: string, name: string, value: number | null): EvaluationRow => ({
      id,
      name,
      value: this.#read(value),
      n: null,
      counts: {},
    })
    const rows = this.#columns.map(({ id, name, column }) =>
      toRow(id, name, values[bucket]?.[column] ?? null),
    )
    const outside = toRow(notInShape, '', not_in_shape[bucket] ?? null)
    const total = this.totals[bucket] ?? null
    return {
      rows,
      byShape: new Map(rows.map((row) => [row.id, row])),
      notInShape: outside,
      total,
      unit: readUnit(unit),
      days: this.by === 'day' ? 1 : this.#overall.days,
      sum: sumRows(this.#overall.sum?.kind ?? null, rows, outside.value, total),
      ways,
      method,
      milliseconds,
      from,
    }
  }

  #read(value: number | null): number | null {
    return readValue(value, this.#response.unit, this.#isMetric)
  }

  #sample(): (number | null)[] {
    const { values } = this.#response
    const step = Math.max(1, Math.ceil((values.length * this.#columns.length) / maxSample))
    const sample: (number | null)[] = []
    let position = 0
    let max = 0
    for (const bucket of values) {
      for (const { column } of this.#columns) {
        const value = this.#read(bucket[column] ?? null)
        if (position++ % step === 0) sample.push(value)
        if (value !== null && value > max) max = value
      }
    }
    // The maximum is always included, so that it determines the highest bin.
    return [...sample, max]
  }
}
