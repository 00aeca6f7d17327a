import type { FeedAuthDraft } from '#contract/feed-auth.ts'
import { type FeedKind, feedVersions, fleetKinds, pushedKinds } from '#contract/feeds.ts'
import { Problem } from '#server/http/problem.ts'
import type { Scope } from '#server/stores/scope.ts'
import { type FullAuth, mergeAuth, findMissingSecret } from './auth/full-auth.ts'
import { findAdapter } from './adapters/list.ts'
import type { FeedServices } from './feed-services.ts'

/** The properties of a new or changed feed that are checked together. */
interface FeedToCheck {
  kind: FeedKind
  version: string
  operator: string | null
  url: string | null
  auth: FullAuth
}

const invalidField = (field: string, message: string): Problem =>
  new Problem('validation_error', message, [{ path: `body.${field}`, message }])

/** Returns the origin of a URL; '' without a valid URL. */
const getOrigin = (url: string | null): string => (url && URL.canParse(url) ? new URL(url).origin : '')

/**
 * Completes a draft with stored secrets. `url`: the feed's URL before and after the change.
 * @throws Problem if a secret is missing, or if stored ones would be sent to another server.
 */
export function resolveAuth(
  draft: FeedAuthDraft,
  stored: FullAuth,
  url: { before: string | null; after: string | null },
): FullAuth {
  const auth = mergeAuth(draft, stored)
  const missing = findMissingSecret(auth)
  if (missing) throw invalidField(missing, 'A secret is missing.')
  const omittedSecret = findMissingSecret(mergeAuth(draft, { kind: 'none' }))
  const isOtherServer =
    getOrigin(url.before) !== getOrigin(url.after) ||
    (auth.kind === 'oauth' &&
      stored.kind === 'oauth' &&
      getOrigin(auth.tokenUrl) !== getOrigin(stored.tokenUrl))
  // Otherwise a user who cannot read the secrets could have them sent to a server of their own.
  if (omittedSecret !== null && isOtherServer)
    throw invalidField(omittedSecret, 'Give the secrets again: the stored ones belong to another server.')
  return auth
}

/**
 * Checks the version, operator and URL of a feed.
 * @throws Problem `validation_error` if the version is unknown, or if the operator or the URL is missing,
 * unknown or not allowed.
 */
export async function checkFeed(
  { state, adapters }: Pick<FeedServices, 'state' | 'adapters'>,
  organizationId: string,
  scope: Scope,
  { kind, version, operator, url }: FeedToCheck,
): Promise<void> {
  const versions: readonly string[] = feedVersions[kind]
  if (!versions.includes(version))
    throw invalidField('version', `The version must be one of ${versions.join(', ')}.`)
  const isPushed = pushedKinds.includes(kind)
  if (!isPushed && !findAdapter(adapters, { kind, version }))
    throw invalidField('version', 'This version cannot be read yet.')
  if (fleetKinds.includes(kind) !== (operator !== null))
    throw invalidField(
      'operator',
      operator === null ? 'This feed needs an operator.' : 'This feed has no operator.',
    )
  if (operator !== null) {
    const operatorRow = await state
      .as(scope)
      .selectFrom('operator')
      .select('slug')
      .where('organization_id', '=', organizationId)
      .where('slug', '=', operator)
      .executeTakeFirst()
    if (!operatorRow) throw invalidField('operator', `There is no operator '${operator}'. Add it first.`)
  }
  if (isPushed !== (url === null))
    throw invalidField(
      'url',
      url === null ? 'The address is missing.' : 'Operators push to this feed: it has no address.',
    )
  if (url && (new URL(url).username || new URL(url).password))
    throw invalidField('url', 'Give name and password as credentials, not in the address.')
}
