import { borderOf } from '../border.ts'
import type { DayGround, DayRule } from '../day-rule.ts'
import type { RuleBreach } from './rule-breach.ts'

/** Finds which violations are closer to the border of their ground than their accuracy. */
export function ruleBorder({
  rules,
  grounds,
}: Pick<DayRule, 'rules' | 'grounds'>): (breach: RuleBreach) => boolean {
  const borders = new Map<string, ReturnType<typeof borderOf>>()
  return ({ rule, lon, lat, accuracy }) => {
    if (!(accuracy > 0)) return false
    const numbers = rules[rule]?.grounds ?? []
    const key = numbers.join(' ')
    let border = borders.get(key)
    if (!border)
      borders.set(
        key,
        (border = borderOf({
          places: 'union',
          grounds: numbers.map((number) => grounds[number - 1] as DayGround),
        })),
      )
    return border(0, lon, lat, accuracy)
  }
}
