import { canBeViolated } from '#contract/policy-types/is-measured.ts'
import type { ImportedMds } from '#contract/policy.ts'
import { readMdsRule, RuleProblem } from '../../mds/read-mds-rule.ts'
import type { Rule } from '../../rule.ts'

/** A rule of MDS as its days are measured, with its shapes by number. */
export interface DayMdsRule extends Omit<Rule, 'area'> {
  /** Numbers of the policy's shapes that it covers, starting at 1; empty if it covers only deleted shapes. */
  shapes: readonly number[]
}

/** Rules at most. */
const maxRules = 2000
const nowhere = (): Rule['area'] => ({ contains: () => false })

/**
 * The rules of an imported policy over its shapes. Empty if none of them can be broken, or if one cannot be parsed: each rule takes
 * vehicles from the next, so that a part of the rules would give wrong results.
 */
export function dayMdsRules(
  { rules, places }: ImportedMds,
  shapes: readonly { shapeId: string | null }[],
): DayMdsRule[] {
  const numbers = new Map(shapes.map(({ shapeId }, index) => [shapeId, index + 1]))
  const shapesOf = new Map(
    places.map(({ geography_id: id, shape_uuids: ids }) => [
      id,
      ids.flatMap((shapeId) => numbers.get(shapeId) ?? []),
    ]),
  )
  if (rules.length > maxRules || !rules.some(canBeViolated)) return []
  try {
    return rules.flatMap((rule): DayMdsRule[] => {
      const one = readMdsRule(rule, nowhere)
      if (!one) return []
      const { area: _, ...withoutArea } = one
      return [
        { ...withoutArea, shapes: [...new Set(rule.geographies.flatMap((id) => shapesOf.get(id) ?? []))] },
      ]
    })
  } catch (error) {
    if (error instanceof RuleProblem) return []
    throw error
  }
}

const dayMs = 86_400_000
/** The longest time limit that is supported, in days. */
const maxLimitDays = 92

/** How long before a day its dwell clocks start, ms: the longest time limit plus the silence after which a vehicle is lost. */
export function ruleReach(rules: readonly Pick<DayMdsRule, 'kind' | 'bounds'>[], lostMs: number): number {
  const limits = rules
    .filter(({ kind }) => kind === 'time')
    .flatMap(({ bounds: { minimum, maximum } }) =>
      [minimum, maximum].filter((limit) => Number.isFinite(limit)),
    )
  return Math.min(Math.max(0, ...limits), maxLimitDays * dayMs) + lostMs
}
