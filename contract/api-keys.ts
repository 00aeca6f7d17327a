import { z } from 'zod'
import { apiScopeNames, rateClassNames } from './api-scopes.ts'
import { endpoint } from './endpoint.ts'
import { nameSchema } from './names.ts'
import { operatorSlug } from './operators.ts'

/** `unused`: no call for 90 days. `expiring`: ends within 14 days. `ownerless`: its owner lost access. */
const apiKeyStates = ['active', 'expiring', 'unused', 'ownerless', 'expired', 'revoked'] as const
export const ApiKeyState = z.enum(apiKeyStates)
export type ApiKeyState = z.infer<typeof ApiKeyState>

/** An API key without its secret. */
export const ApiKey = z
  .object({
    key_id: z.string(),
    /** Keys of one consumer replace each other. */
    consumer_id: z.uuid(),
    name: z.string(),
    /** First characters of the key, by which users recognize it. */
    prefix: z.string(),
    /** Last characters of its secret. */
    hint: z.string(),
    scopes: z.array(z.enum(apiScopeNames)),
    /** Null: every region that its owner may see. */
    region_ids: z.array(z.string()).nullable(),
    /** The only operator with data that the key may read; null: all operators. */
    operator: z.string().nullable(),
    feed_id: z.string().nullable(),
    feed_name: z.string().nullable(),
    cidrs: z.array(z.string()),
    rate_class: z.enum(rateClassNames),
    state: ApiKeyState,
    /** Null: the key is older than ownership and belongs to the organization. */
    owner_email: z.string().nullable(),
    created_by: z.string().nullable(),
    created_time: z.iso.datetime(),
    expires_time: z.iso.datetime().nullable(),
    revoked_time: z.iso.datetime().nullable(),
    revoked_by: z.string().nullable(),
    last_used_time: z.iso.datetime().nullable(),
    /** Number of calls in the last 30 days. */
    calls: z.number().int(),
    /** Number of these calls that were refused. */
    refused: z.number().int(),
  })
  .meta({ id: 'ApiKey' })
export type ApiKey = z.infer<typeof ApiKey>

/** An IPv4 or IPv6 network; a single address is one too. */
const Cidr = z.union([z.cidrv4(), z.cidrv6(), z.ipv4(), z.ipv6()], {
  error: 'An address or network such as 203.0.113.0/24',
})

/** Maximum number of active keys per consumer: the current one, and its replacement during a rotation. */
export const maxActiveKeys = 2

export const NewApiKey = z.object({
  name: nameSchema(120),
  scopes: z.array(z.enum(apiScopeNames)).min(1).max(apiScopeNames.length),
  region_ids: z.array(z.string().max(80)).min(1).max(200).nullable().default(null),
  operator: operatorSlug.nullable().default(null),
  feed_id: z.uuid().nullable().default(null),
  cidrs: z.array(Cidr).max(50).default([]),
  rate_class: z.enum(rateClassNames).default('standard'),
  /** Days until the key expires; null: the maximum of the server, a year by default. */
  expires_days: z.number().int().min(1).max(3650).nullable().default(null),
})
export type NewApiKey = z.output<typeof NewApiKey>

const NewSecret = z.object({
  key: ApiKey,
  /** The complete key. It is returned only once. */
  secret: z.string(),
})
const keyParams = z.object({ key_id: z.string().max(80) })
const keysPath = '/api_keys'

export const listApiKeys = endpoint({
  route: `GET ${keysPath}`,
  permission: 'is_admin',
  summary: 'API keys of the organization with their use, newest first',
  request: {},
  response: z.object({
    items: z.array(ApiKey),
    /** Maximum number of days for which a key may be valid. */
    max_days: z.number().int(),
    default_days: z.number().int(),
  }),
})
export const createApiKey = endpoint({
  route: `POST ${keysPath}`,
  prefixes: ['/v2'],
  permission: 'is_admin',
  summary: 'Create an API key; it is shown only once',
  request: { body: NewApiKey },
  response: NewSecret,
})
/** The old key works until it expires or is revoked, so that its consumer has time to switch. */
export const rotateApiKey = endpoint({
  route: `POST ${keysPath}/{key_id}/rotate`,
  permission: 'is_admin',
  summary: 'Create a second key of the same consumer with the same scopes; two may be active',
  request: { params: keyParams },
  response: NewSecret,
})
export const takeOverApiKey = endpoint({
  route: `POST ${keysPath}/{key_id}/owner`,
  permission: 'is_admin',
  summary: 'Become the owner of a key, which then has the caller’s rights at most',
  request: { params: keyParams },
  response: ApiKey,
})
export const revokeApiKey = endpoint({
  route: `DELETE ${keysPath}/{key_id}`,
  permission: 'is_admin',
  summary: 'Revoke an API key: the next call with it is refused',
  request: { params: keyParams },
  response: ApiKey,
})
