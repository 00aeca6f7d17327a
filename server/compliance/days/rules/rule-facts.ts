import { importedSpeedUnit } from '#contract/policy-types/imported-rules.ts'
import type { DayRule } from '../day-rule.ts'
import { perMeterSecond } from '../measures/speeding.ts'
import type { Measuring } from '../measuring.ts'
import { areasOfRules, findBreaches } from './find-breaches.ts'
import { ruleBorder } from './rule-border.ts'
import type { RuleBreach } from './rule-breach.ts'

/** A violation to be listed. */
export interface RuleFact {
  /** Number of the window. */
  day: number
  operator: string
  breach: RuleBreach
  /** Number of the shape that contained it, starting at 1. */
  shape: number
  /** The name of the shape; with several rules, also of the rule. */
  name: string
  /** Minutes, or the speed in the unit of the policy's first speed rule. */
  value: number
  isNear: boolean
}

/** The first shape of a rule that contained a vehicle. */
function shapeOf({ shapes }: DayRule, areas: ReadonlySet<number> | undefined, breach: RuleBreach): number {
  const area = breach.areas.find((each) => areas?.has(each)) ?? 0
  let last = 0
  return shapes.findIndex(({ areas: own }) => (last += own.length) >= area) + 1
}

/** Every violation of the rules of an imported policy, once per vehicle, rule and day, newest first. */
export async function ruleFacts(measuring: Measuring): Promise<RuleFact[]> {
  const { rule } = measuring
  const [isNear, areasOf] = [ruleBorder(rule), areasOfRules(rule)]
  const { imported_mds: mds } = rule.policy
  const speed = perMeterSecond(mds && importedSpeedUnit(mds))
  const found: RuleFact[] = []
  await findBreaches(measuring, ({ day, operator, breaches }) => {
    for (const breach of breaches) {
      const shape = shapeOf(rule, areasOf[breach.rule], breach)
      const [place, own] = [rule.shapes[shape - 1]?.name ?? '', rule.rules[breach.rule]?.name ?? '']
      const value = Number.isNaN(breach.speed) ? (breach.until - breach.at) / 60_000 : breach.speed * speed
      found.push({
        day,
        operator,
        breach,
        shape,
        name: rule.rules.length > 1 && own ? `${own}: ${place}` : place,
        value,
        isNear: isNear(breach),
      })
    }
  })
  const keyOf = ({ breach, operator }: RuleFact): string => `${operator} ${breach.factId} ${breach.rule}`
  return found.sort((a, b) => b.breach.at - a.breach.at || (keyOf(a) < keyOf(b) ? -1 : 1))
}
