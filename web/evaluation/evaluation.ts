import type { SpatialResult, SpatialUnit } from '#contract/spatial.ts'

/** What a value is read in: as the server says it, but for what lasts, which is read in hours. */
export type ShownUnit = Exclude<SpatialUnit, 'minutes'> | 'hours'

/** A row's value of two periods. */
export interface Compared {
  now: number | null
  before: number | null
  /** `now` - `before`; null where one of them is not known. */
  change: number | null
  /** The change in percent of `before`; null where that is zero. */
  percent: number | null
}

/** One shape's line of an evaluation. */
export interface EvaluationRow {
  id: string
  name: string
  value: number | null
  /** What the value rests on; null where that was not told. */
  n: number | null
  counts: Readonly<Record<string, number>>
  compared?: Compared
}

/** What any evaluation map shows: a value per shape, in the region's units, and what the whole adds up to. */
export interface Evaluation {
  rows: readonly EvaluationRow[]
  byShape: ReadonlyMap<string, EvaluationRow>
  notInShape: EvaluationRow | null
  /** The value of the whole region. */
  total: number | null
  unit: ShownUnit
  /** Days that values per day divide by. */
  days: number
  /** How the shapes add up; null where adding means nothing. */
  sum: Sum | null
  /** On how many known ways of trips the values rest, over all dates; only where they rest on ways. */
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

/** What one who doubts a figure can read. */
export interface Explanation extends Pick<Evaluation, 'ways' | 'method' | 'days' | 'milliseconds' | 'from'> {
  definition: string
  period: string
  /** How far outside of its boundary an area counts, as text; absent if only inside. */
  buffer?: string
}
