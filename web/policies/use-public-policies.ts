import { useQuery } from '@tanstack/react-query'
import { listMdsGeographies, listMdsPolicies, MdsGeographies, MdsPolicies } from '#contract/mds-policy-feed.ts'
import type { MdsGeography, MdsPolicy } from '#contract/mds-policy.ts'
import type { ApiError } from '#web/data/api-error.ts'
import { call } from '#web/data/client.ts'

interface Published {
  policies: readonly MdsPolicy[]
  geographies: readonly MdsGeography[]
}

const read = (bytes: Uint8Array): unknown => JSON.parse(new TextDecoder().decode(bytes))

/** What the public feeds of a region say, for everybody. */
export const usePublicPolicies = (regionId: string) =>
  useQuery<Published, ApiError>({
    queryKey: ['public policies', regionId],
    queryFn: async ({ signal }) => {
      const params = { region_id: regionId }
      const [policies, geographies] = await Promise.all([call(listMdsPolicies, { params, query: {} }, { signal }), call(listMdsGeographies, { params }, { signal })])
      return { policies: MdsPolicies.parse(read(policies)).policies, geographies: MdsGeographies.parse(read(geographies)).geographies }
    },
  })
