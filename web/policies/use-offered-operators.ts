import { listOperators } from '#contract/operators.ts'
import type { StoredPolicy } from '#contract/policies.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import type { DropdownOption } from '#web/kit/dropdown-parts.tsx'

/** The operators to choose from, including those that are already selected. */
export function useOfferedOperators(
  policy: Pick<StoredPolicy, 'operators'>,
  regionId: string,
  chosen: readonly string[],
): DropdownOption[] {
  const operators =
    useEndpointQuery(listOperators, { query: { region_id: regionId, size: 300 } }).data?.items ?? []
  const offered = operators
    .filter(({ slug }) => policy.operators.length === 0 || policy.operators.includes(slug))
    .map(({ slug, name }) => ({ value: slug, text: name }))
  const others = chosen.filter((slug) => !offered.some(({ value }) => value === slug))
  return [...offered, ...others.map((slug) => ({ value: slug, text: slug }))]
}
