import { getLiveVehicles } from '#contract/vehicles.ts'
import { call } from '#web/data/client.ts'
import { endpointQueryKey } from '#web/data/query.ts'

const given = (region_id: string) => ({ params: { region_id }, query: {} })

/** All vehicles of a region. A list of some seconds ago does: the stream goes on from where it was. It is kept no longer, being long. */
export const liveList = (regionId: string) => ({
  queryKey: endpointQueryKey(getLiveVehicles, given(regionId)),
  queryFn: ({ signal }: { signal: AbortSignal }) => call(getLiveVehicles, given(regionId), { signal }),
  staleTime: 5000,
  gcTime: 5000,
})
