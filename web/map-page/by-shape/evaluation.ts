import type { SpatialResult, SpatialUnit } from '#contract/spatial.ts'

/** The unit of a shown value: that of the server, but durations are in hours, not minutes. */
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
  /** Numbers of trips with and without a known route ("way" in the API); only for values based on routes. */
  ways?: SpatialResult['ways']
  method: SpatialResult['method']
  milliseconds: number
  from: SpatialResult['from']
}

/** How shapes add up to the total: exactly, or to more, because a fact can count in several shapes. */
export type SumKind = 'exact' | 'overlaps' | 'both_ends' | 'passes'

/** The sum of all shapes, the value outside of them, and the value of the region. */
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
