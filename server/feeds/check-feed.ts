import type { FeedAuthDraft } from '#contract/feed-auth.ts'
import { type FeedKind, feedVersions, fleetKinds, pushedKinds } from '#contract/feeds.ts'
import { Problem } from '#server/http/problem.ts'
import { type FullAuth, mergeAuth, missingSecret } from './auth/full-auth.ts'
import { adapterOf, type Feeds } from './feeds.ts'

/** The parts of a feed that are checked together. */
export interface CheckedFeed {
  kind: FeedKind
  version: string
  operator: string | null
  url: string | null
  auth: FullAuth
}

const fault = (field: string, message: string): Problem =>
  new Problem('validation_error', message, [{ path: `body.${field}`, message }])

const originOf = (url: string | null): string => (url && URL.canParse(url) ? new URL(url).origin : '')

/** Secrets as given, omitted ones as stored. Throws if the stored ones belong to another server. */
export function resolveAuth(
  draft: FeedAuthDraft,
  stored: FullAuth,
  url: { before: string | null; after: string | null },
): FullAuth {
  const auth = mergeAuth(draft, stored)
  const missing = missingSecret(auth)
  if (missing) throw fault(missing, 'A secret is missing.')
  const alone = mergeAuth(draft, { kind: 'none' })
  const usesStored = missingSecret(alone) !== null
  const moves =
    originOf(url.before) !== originOf(url.after) ||
    (auth.kind === 'oauth' &&
      stored.kind === 'oauth' &&
      originOf(auth.tokenUrl) !== originOf(stored.tokenUrl))
  // A secret must not reach another server.
  if (usesStored && moves)
    throw fault(
      missingSecret(alone) ?? 'auth',
      'Give the secrets again: the stored ones belong to another server.',
    )
  return auth
}

/** Throws if the parts of a feed do not match: the version is unknown, the operator or the address is missing or must not be there. */
export async function checkFeed(
  { state, adapters }: Pick<Feeds, 'state' | 'adapters'>,
  organizationId: string,
  scope: Parameters<Feeds['state']['as']>[0],
  { kind, version, operator, url }: CheckedFeed,
): Promise<void> {
  const versions: readonly string[] = feedVersions[kind]
  if (!versions.includes(version))
    throw fault('version', `The version must be one of ${versions.join(', ')}.`)
  const isPushed = pushedKinds.includes(kind)
  if (!isPushed && !adapterOf(adapters, { kind, version }))
    throw fault('version', 'This version cannot be read yet.')
  if (fleetKinds.includes(kind) !== (operator !== null))
    throw fault('operator', operator === null ? 'This feed needs an operator.' : 'This feed has no operator.')
  if (operator !== null) {
    const known = await state
      .as(scope)
      .selectFrom('operator')
      .select('slug')
      .where('organization_id', '=', organizationId)
      .where('slug', '=', operator)
      .executeTakeFirst()
    if (!known) throw fault('operator', `There is no operator '${operator}'. Add it first.`)
  }
  if (isPushed !== (url === null))
    throw fault(
      'url',
      url === null ? 'The address is missing.' : 'Operators push to this feed: it has no address.',
    )
  if (url && (new URL(url).username || new URL(url).password))
    throw fault('url', 'Give name and password as credentials, not in the address.')
}
