import { borderOf } from '../border.ts'
import type { DayShape, DayRule } from '../day-rule.ts'
import type { RuleBreach } from './rule-breach.ts'

/** Finds which violations are closer to the border of their shape than their accuracy. */
export function ruleBorder({
  rules,
  shapes,
}: Pick<DayRule, 'rules' | 'shapes'>): (breach: RuleBreach) => boolean {
  const borders = new Map<string, ReturnType<typeof borderOf>>()
  return ({ rule, lon, lat, accuracy }) => {
    if (!(accuracy > 0)) return false
    const numbers = rules[rule]?.shapes ?? []
    const key = numbers.join(' ')
    let border = borders.get(key)
    if (!border)
      borders.set(
        key,
        (border = borderOf({
          places: 'union',
          shapes: numbers.map((number) => shapes[number - 1] as DayShape),
        })),
      )
    return border(0, lon, lat, accuracy)
  }
}
