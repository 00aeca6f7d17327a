import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { nameSchema } from './names.ts'

/** What a token of a region allows: to read CDS events or metrics, or to push payments. */
const tokenAccesses = ['events', 'metrics', 'payments'] as const

/** A token for reading CDS events or metrics of a region, or for pushing payments; shown only once. */
export const CdsToken = z
  .object({
    tokenId: z.string(),
    name: z.string(),
    access: z.enum(tokenAccesses),
    /** Last characters of the token. */
    hint: z.string(),
    createdBy: z.string().nullable(),
    createdTime: z.iso.datetime(),
    expiresTime: z.iso.datetime().nullable(),
    lastUsedTime: z.iso.datetime().nullable(),
    revokedTime: z.iso.datetime().nullable(),
  })
  .meta({ id: 'CdsToken' })
export type CdsToken = z.infer<typeof CdsToken>

export const NewCdsToken = z.object({ name: nameSchema(120), access: z.enum(tokenAccesses) })
export type NewCdsToken = z.output<typeof NewCdsToken>

const regionParams = z.object({ region_id: z.string() })
const tokensPath = '/regions/{region_id}/curb/tokens'

export const listCdsTokens = endpoint({
  route: `GET ${tokensPath}`,
  permission: 'is_admin',
  summary: 'Tokens with which CDS events and metrics of the region are read and payments are pushed',
  request: { params: regionParams },
  response: z.object({
    /** Addresses of the Events and the Metrics API of the region, and for pushes of payments. */
    urls: z.object({ events: z.string(), metrics: z.string(), payments: z.string() }),
    items: z.array(CdsToken),
  }),
})
export const makeCdsToken = endpoint({
  route: `POST ${tokensPath}`,
  prefixes: ['/v2'],
  permission: 'is_admin',
  summary: 'Create a token for CDS events or metrics, or for payments; it is shown only once',
  request: { params: regionParams, body: NewCdsToken },
  response: z.object({ token: z.string() }),
})
export const revokeCdsToken = endpoint({
  route: `DELETE ${tokensPath}/{token_id}`,
  permission: 'is_admin',
  summary: 'Revoke a token for CDS events or metrics, or for payments',
  request: { params: regionParams.extend({ token_id: z.string().max(200) }) },
  response: z.object({ revoked: z.boolean() }),
})
