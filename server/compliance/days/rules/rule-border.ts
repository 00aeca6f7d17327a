import { createBorderTest } from '../border.ts'
import type { DayShape, DayRule } from '../day-rule.ts'
import type { RuleBreach } from './rule-breach.ts'

/** Returns a test whether a violation is closer to the border of its rule's shapes than its accuracy. */
export function createBreachBorderTest({
  rules,
  shapes,
}: Pick<DayRule, 'rules' | 'shapes'>): (breach: RuleBreach) => boolean {
  const borders = new Map<string, ReturnType<typeof createBorderTest>>()
  return ({ rule, lon, lat, accuracy }) => {
    if (!(accuracy > 0)) return false
    const numbers = rules[rule]?.shapes ?? []
    const key = numbers.join(' ')
    let border = borders.get(key)
    if (!border)
      borders.set(
        key,
        (border = createBorderTest({
          places: 'union',
          shapes: numbers.map((number) => shapes[number - 1] as DayShape),
        })),
      )
    return border(0, lon, lat, accuracy)
  }
}
