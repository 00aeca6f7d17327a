import { listOperators, nameOfSlug } from '#contract/operators.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { useRegion } from '#web/shell/region.tsx'

interface Payers {
  /** Operators of the region by name; undefined while they load. */
  payers: readonly { slug: string; name: string }[] | undefined
  /** The name of an operator, also of one that is no longer in the region. */
  nameOf: (slug: string) => string
}

/** The operators that invoices are issued to. */
export function usePayers(): Payers {
  const { regionId } = useRegion()
  const payers = useEndpointQuery(listOperators, { query: { region_id: regionId, size: 300 } }).data?.items
  return {
    payers,
    nameOf: (slug) => payers?.find((each) => each.slug === slug)?.name || nameOfSlug(slug),
  }
}
