import { z } from 'zod'

/** Headers that the HTTP client sets itself, or that would change the target of a request. */
const reservedHeaders =
  /^(host|connection|content-length|content-type|transfer-encoding|accept-encoding|upgrade|te|trailer|expect|proxy-.*)$/i

const secret = z
  .string()
  .regex(/^[\x21-\x7e]+$/, 'Only ASCII characters, without spaces')
  .max(8000)
const headerValue = z
  .string()
  .regex(/^[\x20-\x7e]+$/, 'Only ASCII characters')
  .max(8000)
const headerName = z
  .string()
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/, 'Not a valid header name')
  .refine((name) => !reservedHeaders.test(name), 'The server sets this header itself')
const parameterName = z.string().trim().min(1).max(100)

/** How requests to a feed are authenticated. If a secret is omitted, the stored one remains. */
export const FeedAuthDraft = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('none') }),
    z.object({ kind: z.literal('bearer'), token: secret.optional() }),
    z.object({
      kind: z.literal('oauth'),
      tokenUrl: z.url({ protocol: /^https?$/ }).max(1000),
      clientId: z.string().trim().min(1).max(500),
      clientSecret: z.string().min(1).max(2000).optional(),
      scope: z.string().trim().max(1000).optional(),
    }),
    z.object({
      kind: z.literal('headers'),
      headers: z
        .array(z.object({ name: headerName, value: headerValue.optional() }))
        .min(1)
        .max(10),
    }),
    z.object({
      kind: z.literal('query'),
      query: z
        .array(z.object({ name: parameterName, value: z.string().min(1).max(2000).optional() }))
        .min(1)
        .max(10),
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
