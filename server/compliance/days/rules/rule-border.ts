import { createBorderTest } from '../border.ts'
import type { DayShape, DayRule } from '../day-rule.ts'
import type { RuleBreach } from './rule-breach.ts'

/** Returns a function that tests whether a violation is closer to a border of its rule than its accuracy. */
export function createBreachBorderTest({
  rules,
  shapes,
}: Pick<DayRule, 'rules' | 'shapes'>): (breach: RuleBreach) => boolean {
  // Rules with the same shapes share a test.
  const borderTests = new Map<string, ReturnType<typeof createBorderTest>>()
  return ({ rule, lon, lat, accuracy }) => {
    if (!(accuracy > 0)) return false
    const shapeNumbers = rules[rule]?.shapes ?? []
    const key = shapeNumbers.join(' ')
    let isNearBorder = borderTests.get(key)
    if (!isNearBorder) {
      const ruleShapes = shapeNumbers.map((number) => shapes[number - 1] as DayShape)
      isNearBorder = createBorderTest({ places: 'union', shapes: ruleShapes })
      borderTests.set(key, isNearBorder)
    }
    return isNearBorder(0, lon, lat, accuracy)
  }
}
