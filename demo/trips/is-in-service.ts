import { dayNumber } from '../day-number.ts'
import type { DemoOperator } from '../operators.ts'

/** Whether an operator runs on a local day (days since 1970-01-01) of a month (1 to 12). */
export function isInService(operator: DemoOperator, day: number, month: number): boolean {
  if (operator.launchedOn !== undefined && day < dayNumber(operator.launchedOn)) return false
  return operator.months?.includes(month) ?? true
}
