import { z } from 'zod'

/** Headers that the HTTP client sets itself, or that would change the target of a request. */
const reservedHeaders =
  /^(host|connection|content-length|content-type|transfer-encoding|accept-encoding|upgrade|te|trailer|expect|proxy-.*)$/i

/** Maximum lengths of credentials, and the maximum count of headers or query parameters (`pairs`). */
export const feedAuthLimits = {
  token: 8000,
  tokenUrl: 1000,
  clientId: 500,
  clientSecret: 2000,
  scope: 1000,
  name: 100,
  headerValue: 8000,
  queryValue: 2000,
  pairs: 10,
}

const secret = z
  .string()
  .regex(/^[\x21-\x7e]+$/, 'Only ASCII characters, without spaces')
  .max(feedAuthLimits.token)
const headerValue = z
  .string()
  .regex(/^[\x20-\x7e]+$/, 'Only ASCII characters')
  .max(feedAuthLimits.headerValue)
const headerName = z
  .string()
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/, 'Not a valid header name')
  .refine((name) => !reservedHeaders.test(name), 'The server sets this header itself')
const parameterName = z.string().trim().min(1).max(feedAuthLimits.name)

/** How requests to a feed are authenticated. If a secret is omitted, the stored one remains. */
export const FeedAuthDraft = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('none') }),
    z.object({ kind: z.literal('bearer'), token: secret.optional() }),
    z.object({
      kind: z.literal('oauth'),
      tokenUrl: z.url({ protocol: /^https?$/ }).max(feedAuthLimits.tokenUrl),
      clientId: z.string().trim().min(1).max(feedAuthLimits.clientId),
      clientSecret: z.string().min(1).max(feedAuthLimits.clientSecret).optional(),
      scope: z.string().trim().max(feedAuthLimits.scope).optional(),
    }),
    z.object({
      kind: z.literal('headers'),
      headers: z
        .array(z.object({ name: headerName, value: headerValue.optional() }))
        .min(1)
        .max(feedAuthLimits.pairs),
    }),
    z.object({
      kind: z.literal('query'),
      query: z
        .array(
          z.object({
            name: parameterName,
            value: z.string().min(1).max(feedAuthLimits.queryValue).optional(),
          }),
        )
        .min(1)
        .max(feedAuthLimits.pairs),
    }),
  ])
  .meta({ id: 'FeedAuthDraft' })
export type FeedAuthDraft = z.infer<typeof FeedAuthDraft>

/** Authentication of a feed without secrets; flags show which are stored. */
export const FeedAuth = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('none') }),
    z.object({ kind: z.literal('bearer'), hasToken: z.boolean() }),
    z.object({
      kind: z.literal('oauth'),
      tokenUrl: z.string(),
      clientId: z.string(),
      hasSecret: z.boolean(),
      scope: z.string(),
    }),
    z.object({ kind: z.literal('headers'), names: z.array(z.string()) }),
    z.object({ kind: z.literal('query'), names: z.array(z.string()) }),
  ])
  .meta({ id: 'FeedAuth' })
export type FeedAuth = z.infer<typeof FeedAuth>

export const feedAuthKinds = ['none', 'bearer', 'oauth', 'headers', 'query'] as const
