import type { DayFigure, Measuring } from '../measuring.ts'
import { findBreaches } from '../rules/find-breaches.ts'
import { createBreachBorderTest } from '../rules/rule-border.ts'
import type { MeasureType } from './measure-type.ts'

/**
 * Counts violations of an imported policy's rules: each vehicle once per rule, and each rule with too few
 * vehicles.
 */
async function measure(measuring: Measuring): Promise<DayFigure[]> {
  const isNear = createBreachBorderTest(measuring.rule)
  const figures: DayFigure[] = []
  await findBreaches(measuring, ({ day, operator, breaches, short }) => {
    if (!breaches.length && !short) return
    figures.push({
      day,
      operator,
      shape: 0,
      measured: breaches.length + short,
      vehicles: new Set(breaches.map(({ deviceId }) => deviceId)).size,
      uncertain: breaches.filter(isNear).length,
      open: false,
    })
  })
  return figures
}

export const importedRules: MeasureType<'rules'> = { name: () => 'rule_violations', measure, places: 'union' }
