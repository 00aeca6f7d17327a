import type { FeedAuth, FeedAuthDraft } from '#contract/feed-auth.ts'

/** The credentials of a feed including secrets, which are stored encrypted and not used in other rooms. */
export type FullAuth =
  | { kind: 'none' }
  | { kind: 'bearer'; token: string }
  | { kind: 'oauth'; tokenUrl: string; clientId: string; clientSecret: string; scope: string }
  | { kind: 'headers'; headers: { name: string; value: string }[] }
  | { kind: 'query'; query: { name: string; value: string }[] }

/** Returns the credentials without secrets, as users see them. */
export function hideAuthSecrets(auth: FullAuth): FeedAuth {
  switch (auth.kind) {
    case 'none':
      return auth
    case 'bearer':
      return { kind: 'bearer', hasToken: auth.token !== '' }
    case 'oauth':
      return {
        kind: 'oauth',
        tokenUrl: auth.tokenUrl,
        clientId: auth.clientId,
        hasSecret: auth.clientSecret !== '',
        scope: auth.scope,
      }
    case 'headers':
      return { kind: 'headers', names: auth.headers.map(({ name }) => name) }
    case 'query':
      return { kind: 'query', names: auth.query.map(({ name }) => name) }
  }
}

interface NamedValue {
  name: string
  value?: string | undefined
}

/** Fills omitted values with the stored ones of the same name. */
const withStoredValues = (
  entered: readonly NamedValue[],
  stored: readonly NamedValue[],
): { name: string; value: string }[] =>
  entered.map(({ name, value }) => ({
    name,
    value: value ?? stored.find((header) => header.name.toLowerCase() === name.toLowerCase())?.value ?? '',
  }))

/** Completes a draft with the stored secrets that it omits; '' if none are stored. */
export function mergeAuth(draft: FeedAuthDraft, stored: FullAuth): FullAuth {
  switch (draft.kind) {
    case 'none':
      return { kind: 'none' }
    case 'bearer':
      return { kind: 'bearer', token: draft.token ?? (stored.kind === 'bearer' ? stored.token : '') }
    case 'oauth':
      return {
        kind: 'oauth',
        tokenUrl: draft.tokenUrl,
        clientId: draft.clientId,
        clientSecret: draft.clientSecret ?? (stored.kind === 'oauth' ? stored.clientSecret : ''),
        scope: draft.scope ?? '',
      }
    case 'headers':
      return {
        kind: 'headers',
        headers: withStoredValues(draft.headers, stored.kind === 'headers' ? stored.headers : []),
      }
    case 'query':
      return {
        kind: 'query',
        query: withStoredValues(draft.query, stored.kind === 'query' ? stored.query : []),
      }
  }
}

/** Lists the secrets that are present: tokens, passwords, and values of headers and parameters. */
export function listSecrets(auth: FullAuth): string[] {
  const secrets: string[] = []
  if (auth.kind === 'bearer') secrets.push(auth.token)
  if (auth.kind === 'oauth') secrets.push(auth.clientSecret)
  if (auth.kind === 'headers') secrets.push(...auth.headers.map(({ value }) => value))
  if (auth.kind === 'query') secrets.push(...auth.query.map(({ value }) => value))
  return secrets.filter((secret) => secret !== '')
}

/** Finds the field of a missing secret; null if all are present. */
export function findMissingSecret(auth: FullAuth): string | null {
  if (auth.kind === 'bearer' && !auth.token) return 'auth.token'
  if (auth.kind === 'oauth' && !auth.clientSecret) return 'auth.clientSecret'
  if (auth.kind === 'headers' && auth.headers.some(({ value }) => !value)) return 'auth.headers'
  if (auth.kind === 'query' && auth.query.some(({ value }) => !value)) return 'auth.query'
  return null
}
