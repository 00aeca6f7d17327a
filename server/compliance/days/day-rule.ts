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
 * Where a rule is measured: in the whole region regardless of areas (`whole`), in all areas combined
 * (`union`), or in each area separately (`each`). Only `each` has more than one record per day and operator.
 */
type Places = 'whole' | 'union' | 'each'

/** The measure of the policy type; `rules`: rules of an imported policy, evaluated at every full minute. */
export type DayMeasure = Measure | { kind: 'rules' }

/** A policy revision, prepared for measuring by day. */
export interface DayRule {
  /** The revision; null if it is not saved. */
  policyId: string | null
  policy: PolicyFields
  measure: DayMeasure
  places: Places
  shapes: readonly DayShape[]
  /** The rules of an imported policy; empty for other policies. */
  rules: readonly DayMdsRule[]
  /** A hash of the areas and their order. */
  content: string
  /** The time in force, ms, half open; infinite for drafts. */
  from: number
  until: number
}

/** Whether the measure needs trips only, so that trip files are enough. */
export const needsTripsOnly = ({ measure }: Pick<DayRule, 'measure'>): boolean => measure.kind === 'ridden'
