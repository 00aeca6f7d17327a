import type { FeedAuth, FeedAuthDraft } from '#contract/feed-auth.ts'

/** How a feed is asked for, with its secrets: sealed at rest, and never beyond this room. */
export type FullAuth =
  | { kind: 'none' }
  | { kind: 'bearer'; token: string }
  | { kind: 'oauth'; tokenUrl: string; clientId: string; clientSecret: string; scope: string }
  | { kind: 'headers'; headers: { name: string; value: string }[] }
  | { kind: 'query'; query: { name: string; value: string }[] }

/** What may be told of it. */
export function shownAuth(auth: FullAuth): FeedAuth {
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

interface Named {
  name: string
  value?: string | undefined
}

const filled = (given: readonly Named[], stored: readonly Named[]): { name: string; value: string }[] =>
  given.map(({ name, value }) => ({
    name,
    value: value ?? stored.find((each) => each.name.toLowerCase() === name.toLowerCase())?.value ?? '',
  }))

/** What is asked for, with the secrets that it leaves out as they are kept; '' where there is none. */
export function mergeAuth(draft: FeedAuthDraft, kept: FullAuth): FullAuth {
  switch (draft.kind) {
    case 'none':
      return { kind: 'none' }
    case 'bearer':
      return { kind: 'bearer', token: draft.token ?? (kept.kind === 'bearer' ? kept.token : '') }
    case 'oauth':
      return {
        kind: 'oauth',
        tokenUrl: draft.tokenUrl,
        clientId: draft.clientId,
        clientSecret: draft.clientSecret ?? (kept.kind === 'oauth' ? kept.clientSecret : ''),
        scope: draft.scope ?? '',
      }
    case 'headers':
      return { kind: 'headers', headers: filled(draft.headers, kept.kind === 'headers' ? kept.headers : []) }
    case 'query':
      return { kind: 'query', query: filled(draft.query, kept.kind === 'query' ? kept.query : []) }
  }
}

/** Everything of it that nobody may read. */
export function secretsOf(auth: FullAuth): string[] {
  const secrets =
    auth.kind === 'bearer'
      ? [auth.token]
      : auth.kind === 'oauth'
        ? [auth.clientSecret]
        : auth.kind === 'headers'
          ? auth.headers.map(({ value }) => value)
          : auth.kind === 'query'
            ? auth.query.map(({ value }) => value)
            : []
  return secrets.filter((secret) => secret !== '')
}

/** The field of a secret that is missing; null where all are there. */
export function missingSecret(auth: FullAuth): string | null {
  if (auth.kind === 'bearer' && !auth.token) return 'auth.token'
  if (auth.kind === 'oauth' && !auth.clientSecret) return 'auth.clientSecret'
  if (auth.kind === 'headers' && auth.headers.some(({ value }) => !value)) return 'auth.headers'
  if (auth.kind === 'query' && auth.query.some(({ value }) => !value)) return 'auth.query'
  return null
}
