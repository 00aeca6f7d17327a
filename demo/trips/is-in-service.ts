import { dayNumber } from '../day-number.ts'
import type { DemoOperator } from '../operators.ts'

/** Whether an operator runs on a local day (days since 1970-01-01). */
export function isInService({ launchedOn }: DemoOperator, day: number): boolean {
  return launchedOn === undefined || day >= dayNumber(launchedOn)
}
