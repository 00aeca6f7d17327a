import { importedSpeedUnit } from '#contract/policy-types/imported-rules.ts'
import type { DayRule } from '../day-rule.ts'
import { getSpeedFactor } from '../measures/speeding.ts'
import type { MeasureInput } from '../measure-input.ts'
import { listRuleAreas, findBreaches } from './find-breaches.ts'
import { createBreachBorderTest } from './rule-border.ts'
import type { RuleBreach } from './rule-breach.ts'

/** A violation in the list of facts. */
export interface RuleFact {
  /** Index of the window. */
  day: number
  operator: string
  breach: RuleBreach
  /** Number, from 1, of the shape that contained the vehicle. */
  shape: number
  /** The name of the shape, after the name of the rule if there are several rules. */
  name: string
  /** Duration in minutes, or the speed in the unit of the policy's first speed rule. */
  value: number
  /** Whether it is closer to the border than its accuracy. */
  isNear: boolean
}

/** Returns the number of the first shape of a rule that contained a vehicle. */
function findShapeNumber(
  { shapes }: DayRule,
  areas: ReadonlySet<number> | undefined,
  breach: RuleBreach,
): number {
  const area = breach.areas.find((number) => areas?.has(number)) ?? 0
  // Areas are numbered from 1 through all shapes.
  let lastArea = 0
  return shapes.findIndex(({ areas: shapeAreas }) => (lastArea += shapeAreas.length) >= area) + 1
}

/** Finds all violations of the rules of an imported policy, once per vehicle, rule and day, newest first. */
export async function findRuleFacts(input: MeasureInput): Promise<RuleFact[]> {
  const { rule } = input
  const isNearBorder = createBreachBorderTest(rule)
  const ruleAreas = listRuleAreas(rule)
  const { imported_mds: mds } = rule.policy
  const speedFactor = getSpeedFactor(mds && importedSpeedUnit(mds))
  const ruleFacts: RuleFact[] = []
  await findBreaches(input, ({ day, operator, breaches }) => {
    for (const breach of breaches) {
      const shape = findShapeNumber(rule, ruleAreas[breach.rule], breach)
      const shapeName = rule.shapes[shape - 1]?.name ?? ''
      const ruleName = rule.rules[breach.rule]?.name ?? ''
      const minutes = (breach.until - breach.at) / 60_000
      const value = Number.isNaN(breach.speed) ? minutes : breach.speed * speedFactor
      ruleFacts.push({
        day,
        operator,
        breach,
        shape,
        name: rule.rules.length > 1 && ruleName ? `${ruleName}: ${shapeName}` : shapeName,
        value,
        isNear: isNearBorder(breach),
      })
    }
  })
  const makeFactKey = ({ breach, operator }: RuleFact): string =>
    `${operator} ${breach.factId} ${breach.rule}`
  return ruleFacts.sort((a, b) => b.breach.at - a.breach.at || (makeFactKey(a) < makeFactKey(b) ? -1 : 1))
}
