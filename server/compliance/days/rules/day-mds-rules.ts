import { dayMs } from '#contract/period.ts'
import { canBeViolated } from '#contract/policy-types/is-measured.ts'
import type { ImportedMds } from '#contract/policy.ts'
import { readMdsRule, RuleProblem } from '../../mds/read-mds-rule.ts'
import type { Rule } from '../../rule.ts'

/** An MDS rule prepared for measuring by day. */
export interface DayMdsRule extends Omit<Rule, 'area'> {
  /** Numbers, from 1, of the policy's shapes that it covers; empty if all of them were deleted. */
  shapes: readonly number[]
}

/** Policies with more rules are not measured. */
const maxRules = 2000
const createEmptyArea = (): Rule['area'] => ({ contains: () => false })

/**
 * Returns the rules of an imported policy on its shapes. Empty if none of them can be violated, if there are
 * too many, or if one cannot be parsed: a vehicle that matches a rule is skipped by the next ones, so
 * evaluating only some of the rules would give wrong results.
 */
export function toDayMdsRules(
  { rules, places }: ImportedMds,
  shapes: readonly { shapeId: string | null }[],
): DayMdsRule[] {
  const shapeNumbers = new Map(shapes.map(({ shapeId }, index) => [shapeId, index + 1]))
  const shapesByGeography = new Map(
    places.map(({ geography_id: id, shape_uuids: ids }) => [
      id,
      ids.flatMap((shapeId) => shapeNumbers.get(shapeId) ?? []),
    ]),
  )
  if (rules.length > maxRules || !rules.some(canBeViolated)) return []
  try {
    return rules.flatMap((rule): DayMdsRule[] => {
      const parsed = readMdsRule(rule, createEmptyArea)
      if (!parsed) return []
      const { area: _, ...withoutArea } = parsed
      return [
        {
          ...withoutArea,
          shapes: [...new Set(rule.geographies.flatMap((id) => shapesByGeography.get(id) ?? []))],
        },
      ]
    })
  } catch (error) {
    if (error instanceof RuleProblem) return []
    throw error
  }
}

/** Longest supported time limit, days. */
const maxLimitDays = 92

/** Returns how long before a day still matters, ms: the longest time limit plus the silence until lost. */
export function getRuleHistoryMs(
  rules: readonly Pick<DayMdsRule, 'kind' | 'bounds'>[],
  lostMs: number,
): number {
  const limits = rules
    .filter(({ kind }) => kind === 'time')
    .flatMap(({ bounds: { minimum, maximum } }) =>
      [minimum, maximum].filter((limit) => Number.isFinite(limit)),
    )
  return Math.min(Math.max(0, ...limits), maxLimitDays * dayMs) + lostMs
}
