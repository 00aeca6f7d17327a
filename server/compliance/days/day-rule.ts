import type { Measure } from '#contract/compliance.ts'
import type { Area } from '#contract/place.ts'
import type { PolicyFields } from '#contract/policy.ts'
import type { DayMdsRule } from './rules/day-mds-rules.ts'

/** A place that a policy is measured in: a shape, or the region's boundary of several. */
export interface DayGround {
  shapeId: string | null
  name: string
  areas: readonly Area[]
}

/**
 * In which places is counted: nowhere in particular (`whole`: all of the region), in all grounds together (`union`), or in each of them.
 * All but `each` have one record a day and operator.
 */
type Places = 'whole' | 'union' | 'each'

/** What is measured: what a type says, or `rules`, the own ones of an imported policy, at every full minute. */
export type DayMeasure = Measure | { kind: 'rules' }

/** A policy as its days are measured. */
export interface DayRule {
  /** The revision; null: not saved. */
  policyId: string | null
  policy: PolicyFields
  measure: DayMeasure
  places: Places
  grounds: readonly DayGround[]
  /** Of an imported policy its own rules; of others none: `measure` says it all. */
  rules: readonly DayMdsRule[]
  /** Names the grounds' geometry: the same areas in the same order have the same. */
  content: string
  /** When it held, ms; a draft always did. */
  from: number
  until: number
}

/** Whether an operator's trips alone tell what is measured: also those of files. */
export const byTrips = ({ measure }: Pick<DayRule, 'measure'>): boolean => measure.kind === 'ridden'
