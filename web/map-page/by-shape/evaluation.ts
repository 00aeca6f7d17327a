import type { SpatialResult, SpatialUnit } from '#contract/spatial.ts'

/** The unit of a shown value: the server's, except for durations, which are shown in hours. */
export type ShownUnit = Exclude<SpatialUnit, 'minutes'> | 'hours'

/** A row's value in two periods. */
export interface Compared {
  now: number | null
  before: number | null
  /** `now` - `before`; null if one of them is unknown. */
  change: number | null
  /** The change in percent of `before`; null if that is zero. */
  percent: number | null
}

/** One shape of an evaluation. */
export interface EvaluationRow {
  id: string
  name: string
  value: number | null
  /** The sample size of the value; null if unknown. */
  n: number | null
  counts: Readonly<Record<string, number>>
  compared?: Compared
}

/** The content of any evaluation map: a value per shape in the region's units, and their sum. */
export interface Evaluation {
  rows: readonly EvaluationRow[]
  byShape: ReadonlyMap<string, EvaluationRow>
  notInShape: EvaluationRow | null
  /** The value of the region. */
  total: number | null
  unit: ShownUnit
  /** The divisor of values per day. */
  days: number
  /** How the shapes add up; null for values that cannot be summed. */
  sum: Sum | null
  /** The number of trips with known routes, over all dates; only for values based on routes. */
  ways?: SpatialResult['ways']
  method: SpatialResult['method']
  milliseconds: number
  from: SpatialResult['from']
}

export type SumKind = 'exact' | 'overlaps' | 'both_ends' | 'passes'

export interface Sum {
  shapes: number
  notInShape: number
  total: number
  kind: SumKind
}

/** The explanation of a figure. */
export interface Explanation extends Pick<Evaluation, 'ways' | 'method' | 'days' | 'milliseconds' | 'from'> {
  definition: string
  period: string
  /** How far outside of its boundary an area counts, as text; absent if only inside. */
  buffer?: string
}
