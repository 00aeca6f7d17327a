import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { operatorSlug } from './operators.ts'

export const getGbfs = endpoint({
  route: 'GET /regions/{region_id}/gbfs_proxy/{gbfs_endpoint}',
  permission: 'signed_in',
  summary:
    'The newest file of a GBFS feed of the region, as in vehicle_status; `operator` is required if several operators have one',
  request: {
    params: z.object({
      region_id: z.string(),
      gbfs_endpoint: z.string().regex(/^[a-z_]{1,60}(\.json)?$/, 'A file of GBFS, as in station_status'),
    }),
    query: z.object({ operator: operatorSlug.optional() }),
  },
  response: { media: 'application/json' },
})
