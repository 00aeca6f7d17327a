import { listManagedOperators, type ManagedOperator } from '#contract/managed-operators.ts'
import { operatorName as nameAmong } from '#contract/operators.ts'
import { useEndpointQuery } from '#web/data/query.ts'

/** Operators of the organization; null while they load. */
export function useOperators(): readonly ManagedOperator[] | null {
  return useEndpointQuery(listManagedOperators, {}).data ?? null
}

/** The name of an operator; its slug while the operators load. */
export const operatorName = (operators: readonly ManagedOperator[] | null, slug: string): string =>
  operators ? nameAmong(slug, operators) : slug
