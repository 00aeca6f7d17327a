import type { OperatorHealth } from '#contract/health.ts'

/** The operator of the address bar; without one the first with something open, else the first. Undefined where there is none of that name. */
export function chosenOperator(
  operators: readonly OperatorHealth[],
  asked: string | undefined,
): OperatorHealth | undefined {
  if (asked !== undefined) return operators.find(({ operator }) => operator === asked)
  return operators.find(({ open_incidents }) => open_incidents > 0) ?? operators[0]
}
