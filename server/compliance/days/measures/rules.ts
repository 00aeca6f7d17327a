import type { DayFigure, MeasureInput } from '../measure-input.ts'
import { findBreaches } from '../rules/find-breaches.ts'
import { createBreachBorderTest } from '../rules/rule-border.ts'
import type { MeasureType } from './measure-type.ts'

/** Counts violations of imported rules: a vehicle once per rule, and each rule with too few vehicles. */
async function measure(input: MeasureInput): Promise<DayFigure[]> {
  const isNearBorder = createBreachBorderTest(input.rule)
  const figures: DayFigure[] = []
  await findBreaches(input, ({ day, operator, breaches, short }) => {
    if (!breaches.length && !short) return
    figures.push({
      day,
      operator,
      shape: 0,
      measured: breaches.length + short,
      vehicles: new Set(breaches.map(({ deviceId }) => deviceId)).size,
      uncertain: breaches.filter(isNearBorder).length,
      open: false,
    })
  })
  return figures
}

/** Measures the rules of an imported policy, all of them together. */
export const importedRules: MeasureType<'rules'> = { name: () => 'rule_violations', measure, places: 'union' }
