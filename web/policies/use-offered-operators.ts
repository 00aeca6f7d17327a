import type { StoredPolicy } from '#contract/policies.ts'
import { useOperators } from '#web/filters/use-operators.ts'
import type { DropdownOption } from '#web/kit/dropdown-parts.tsx'

/** Returns the operators to choose from, including those that are already selected. */
export function useOfferedOperators(
  policy: Pick<StoredPolicy, 'operators'>,
  regionId: string,
  selected: readonly string[],
): DropdownOption[] {
  const operators = useOperators(regionId).data?.items ?? []
  const offered = operators
    .filter(({ slug }) => policy.operators.length === 0 || policy.operators.includes(slug))
    .map(({ slug, name }) => ({ value: slug, text: name }))
  const others = selected.filter((slug) => !offered.some(({ value }) => value === slug))
  return [...offered, ...others.map((slug) => ({ value: slug, text: slug }))]
}
