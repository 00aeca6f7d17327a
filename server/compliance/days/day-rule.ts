import type { Measure } from '#contract/compliance.ts'
import type { Area } from '#contract/place.ts'
import type { PolicyFields } from '#contract/policy.ts'
import type { DayMdsRule } from './rules/day-mds-rules.ts'

/** An area in which a policy is measured: a shape, or the region's boundary. */
export interface DayShape {
  shapeId: string | null
  name: string
  areas: readonly Area[]
}

/**
 * How areas are combined: not at all, the whole region counts (`whole`), all areas as one (`union`), or each by itself.
 * Only `each` has more than one record per day and operator.
 */
type Places = 'whole' | 'union' | 'each'

/** What is measured: the measure of the policy type, or `rules`, the rules of an imported policy at every full minute. */
export type DayMeasure = Measure | { kind: 'rules' }

/** A policy as it is measured by day. */
export interface DayRule {
  /** The revision; null if it is not saved. */
  policyId: string | null
  policy: PolicyFields
  measure: DayMeasure
  places: Places
  shapes: readonly DayShape[]
  /** The rules of an imported policy; empty for others, which `measure` describes fully. */
  rules: readonly DayMdsRule[]
  /** A hash of the areas and their order. */
  content: string
  /** When it was in force, ms; drafts always. */
  from: number
  until: number
}

/** Whether trips alone are measured, including those of files. */
export const byTrips = ({ measure }: Pick<DayRule, 'measure'>): boolean => measure.kind === 'ridden'
