import { listCurbAccounts } from '#contract/curb-revenue.ts'
import { getDefaultOperatorName } from '#contract/operators.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { useOperators } from '#web/filters/use-operators.ts'
import { useRegion } from '#web/shell/region.tsx'

interface Payers {
  /** Operators and curb accounts of the region; undefined while they load. */
  payers: readonly { slug: string; name: string }[] | undefined
  /** The name of an operator, including one that has left the region. */
  getOperatorName: (slug: string) => string
}

/** Returns the operators and curb accounts to which invoices are issued. */
export function usePayers(): Payers {
  const { regionId } = useRegion()
  const operators = useOperators(regionId).data?.items
  const accounts = useEndpointQuery(listCurbAccounts, { params: { region_id: regionId } }).data?.items ?? []
  const payers = operators && [
    ...operators,
    ...accounts.map(({ account_id: slug, name }) => ({ slug, name })),
  ]
  return {
    payers,
    getOperatorName: (slug) =>
      payers?.find((payer) => payer.slug === slug)?.name || getDefaultOperatorName(slug),
  }
}
