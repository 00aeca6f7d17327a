import type { SpatialByTime, TimeBucket } from '#contract/spatial.ts'
import { notInShape } from '#contract/evaluation.ts'
import { shapeState } from '#web/map/layers/shape-states.ts'
import type { ShapeState } from '#web/map/map-layer.ts'
import type { Bin } from '#contract/bins.ts'
import { binsOf, classOf } from '../by-shape/classify.ts'
import type { Evaluation, EvaluationRow, ShownUnit } from '../by-shape/evaluation.ts'
import { readUnit, readValue, type NamedShape } from '../by-shape/read-evaluation.ts'
import { sumOf } from '../by-shape/sum-of.ts'
import type { AxisSteps } from './axis-playing.ts'

/** Of more values a sample is sufficient to compute bins. */
const maxSample = 200_000

/** Values by bucket, in the server's units or in converted ones. */
export type PlayedAnswer = Omit<SpatialByTime, 'unit'> & { unit: SpatialByTime['unit'] | ShownUnit }

/** The values of a whole playback: an evaluation for each bucket, all with the same bins, so that their colors can be compared. */
export class Playback {
  readonly by: TimeBucket
  readonly buckets: readonly string[]
  /** The value of the whole region by bucket. */
  readonly totals: readonly (number | null)[]
  readonly bins: readonly Bin[]
  readonly #answer: PlayedAnswer
  /** The evaluation of all buckets together: it determines how shapes add up. */
  readonly #whole: Evaluation
  readonly #columns: readonly { id: string; name: string; column: number }[]
  readonly #isMetric: boolean
  #last: { at: number; evaluation: Evaluation } | null = null

  constructor(
    answer: PlayedAnswer,
    by: TimeBucket,
    whole: Evaluation,
    shapes: readonly NamedShape[],
    isMetric: boolean,
  ) {
    this.by = by
    this.buckets = answer.buckets
    this.#answer = answer
    this.#whole = whole
    this.#isMetric = isMetric
    const columns = new Map(answer.shape_uuids.map((id, column) => [id, column]))
    this.#columns = shapes.flatMap(({ shape_uuid: id, shape_name: name }) => {
      const column = columns.get(id)
      return column === undefined ? [] : [{ id, name, column }]
    })
    this.totals = answer.total.map((value) => this.#read(value))
    this.bins = binsOf(this.#sample())
  }

  /** The evaluation of one bucket; the same object for repeated calls. */
  at(bucket: number): Evaluation {
    if (this.#last?.at !== bucket) this.#last = { at: bucket, evaluation: this.#evaluation(bucket) }
    return this.#last.evaluation
  }

  /** The states of all shapes in one bucket. Computed thousands of times at every step: a single pass without an object per shape. */
  states(bucket: number): ReadonlyMap<string, ShapeState> {
    const values = this.#answer.values[bucket] ?? []
    const states = new Map<string, ShapeState>()
    for (const { id, column } of this.#columns)
      states.set(id, shapeState(classOf(this.#read(values[column] ?? null), this.bins)))
    return states
  }

  /** The steps of one shape; null if the response does not have it. */
  ofShape(id: string): AxisSteps | null {
    const column = this.#columns.find((each) => each.id === id)?.column
    if (column === undefined) return null
    const totals = this.#answer.values.map((values) => this.#read(values[column] ?? null))
    const unit = readUnit(this.#answer.unit)
    return {
      by: this.by,
      buckets: this.buckets,
      totals,
      at: (bucket) => ({ total: totals[bucket] ?? null, unit }),
    }
  }

  #evaluation(bucket: number): Evaluation {
    const { values, not_in_shape, unit, ways, method, milliseconds, from } = this.#answer
    const row = (id: string, name: string, value: number | null): EvaluationRow => ({
      id,
      name,
      value: this.#read(value),
      n: null,
      counts: {},
    })
    const rows = this.#columns.map(({ id, name, column }) => row(id, name, values[bucket]?.[column] ?? null))
    const outside = row(notInShape, '', not_in_shape[bucket] ?? null)
    const total = this.totals[bucket] ?? null
    return {
      rows,
      byShape: new Map(rows.map((each) => [each.id, each])),
      notInShape: outside,
      total,
      unit: readUnit(unit),
      days: this.by === 'day' ? 1 : this.#whole.days,
      sum: sumOf(this.#whole.sum?.kind ?? null, rows, outside.value, total),
      ways,
      method,
      milliseconds,
      from,
    }
  }

  #read(value: number | null): number | null {
    return readValue(value, this.#answer.unit, this.#isMetric)
  }

  #sample(): (number | null)[] {
    const { values } = this.#answer
    const step = Math.max(1, Math.ceil((values.length * this.#columns.length) / maxSample))
    const sample: (number | null)[] = []
    let [place, most] = [0, 0]
    for (const bucket of values) {
      for (const { column } of this.#columns) {
        const value = this.#read(bucket[column] ?? null)
        if (place++ % step === 0) sample.push(value)
        if (value !== null && value > most) most = value
      }
    }
    return [...sample, most]
  }
}
