import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { nameSchema } from './names.ts'
import { operatorSlug } from './operators.ts'

/** A token that allows reading MDS Metrics of a region. The token itself is shown only once. */
export const MetricsToken = z
  .object({
    tokenId: z.string(),
    name: z.string(),
    scope: z.enum(['metrics:read', 'metrics:read:provider']),
    /** The only operator with metrics that may be read; null: all operators. */
    operator: z.string().nullable(),
    /** Last characters of the token. */
    hint: z.string(),
    createdBy: z.string().nullable(),
    createdTime: z.iso.datetime(),
    expiresTime: z.iso.datetime().nullable(),
    lastUsedTime: z.iso.datetime().nullable(),
    revokedTime: z.iso.datetime().nullable(),
  })
  .meta({ id: 'MetricsToken' })
export type MetricsToken = z.infer<typeof MetricsToken>

export const NewMetricsToken = z.object({
  name: nameSchema(120),
  operator: operatorSlug.nullable().default(null),
})
export type NewMetricsToken = z.output<typeof NewMetricsToken>

const regionParams = z.object({ region_id: z.string() })
const metricsPath = '/regions/{region_id}/metrics/tokens'

export const listMetricsTokens = endpoint({
  route: `GET ${metricsPath}`,
  permission: 'is_admin',
  summary: 'Tokens with which MDS Metrics of the region are read',
  request: { params: regionParams },
  response: z.object({
    /** The address of the MDS Metrics API of the region. */
    url: z.string(),
    items: z.array(MetricsToken),
  }),
})
export const makeMetricsToken = endpoint({
  route: `POST ${metricsPath}`,
  prefixes: ['/v2'],
  permission: 'is_admin',
  summary: 'Create a token for MDS Metrics; it is shown only once',
  request: { params: regionParams, body: NewMetricsToken },
  response: z.object({ token: z.string() }),
})
export const revokeMetricsToken = endpoint({
  route: `DELETE ${metricsPath}/{token_id}`,
  permission: 'is_admin',
  summary: 'Revoke a token for MDS Metrics',
  request: { params: regionParams.extend({ token_id: z.string().max(200) }) },
  response: z.object({ revoked: z.boolean() }),
})
