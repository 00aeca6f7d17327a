import { listOperators } from '#contract/operators.ts'
import { useEndpointQuery } from '#web/data/query.ts'

/** Queries the operators of a region that the user may see. */
export const useOperators = (regionId: string, isEnabled = true) =>
  useEndpointQuery(listOperators, { query: { region_id: regionId, size: 300 } }, { enabled: isEnabled })
