import { canBeViolated } from '#contract/policy-types/is-measured.ts'
import type { ImportedMds } from '#contract/policy.ts'
import { readMdsRule, RuleProblem } from '../../mds/read-mds-rule.ts'
import type { Rule } from '../../rule.ts'

/** A rule of MDS as its days are measured: its ground is known by numbers. */
export interface DayMdsRule extends Omit<Rule, 'area'> {
  /** Numbers of the policy's grounds that it covers, from 1 up; none: it covers shapes that are gone. */
  grounds: readonly number[]
}

/** So many rules are read at most. */
const mostRules = 2000
const nowhere = (): Rule['area'] => ({ contains: () => false })

/**
 * The rules of an imported policy over the grounds that it stands on. None where none of them can be broken, or where one is not understood:
 * what is judged by half of its rules is judged wrongly, since each takes vehicles from the next.
 */
export function dayMdsRules(
  { rules, places }: ImportedMds,
  grounds: readonly { shapeId: string | null }[],
): DayMdsRule[] {
  const numbers = new Map(grounds.map(({ shapeId }, at) => [shapeId, at + 1]))
  const groundsOf = new Map(
    places.map(({ geography_id: id, shape_uuids: shapes }) => [
      id,
      shapes.flatMap((shape) => numbers.get(shape) ?? []),
    ]),
  )
  if (rules.length > mostRules || !rules.some(canBeViolated)) return []
  try {
    return rules.flatMap((rule): DayMdsRule[] => {
      const one = readMdsRule(rule, nowhere)
      if (!one) return []
      const { area: _, ...rest } = one
      return [{ ...rest, grounds: [...new Set(rule.geographies.flatMap((id) => groundsOf.get(id) ?? []))] }]
    })
  } catch (error) {
    if (error instanceof RuleProblem) return []
    throw error
  }
}

const dayMs = 86_400_000
/** Days of the longest time limit that is looked back for. */
const longestLimitDays = 92

/** How long before a day its clocks are known from, ms: the longest time limit, and the silence after which a vehicle is lost. */
export function ruleReach(rules: readonly Pick<DayMdsRule, 'kind' | 'bounds'>[], lostMs: number): number {
  const limits = rules
    .filter(({ kind }) => kind === 'time')
    .flatMap(({ bounds: { minimum, maximum } }) =>
      [minimum, maximum].filter((limit) => Number.isFinite(limit)),
    )
  return Math.min(Math.max(0, ...limits), longestLimitDays * dayMs) + lostMs
}
