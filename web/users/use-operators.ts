import { listManagedOperators, type ManagedOperator } from '#contract/managed-operators.ts'
import { useAnswer } from '#web/data/query.ts'

/** Operators of the organization, as far as they are known; null until they are. */
export function useOperators(): readonly ManagedOperator[] | null {
  return useAnswer(listManagedOperators, {}).data ?? null
}

/** The name of an operator; its slug where it is gone. */
export const operatorName = (operators: readonly ManagedOperator[] | null, slug: string): string => operators?.find((each) => each.slug === slug)?.name ?? slug
