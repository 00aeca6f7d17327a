import type { FeedAuthDraft } from '#contract/feed-auth.ts'
import {
  type Feed,
  feedDefaults,
  type FeedKind,
  feedVersions,
  fleetKinds,
  pushedKinds,
  defaultBackfillHours,
} from '#contract/feeds.ts'

/** A name and its secret; an empty secret leaves the stored one unchanged. */
export interface SecretPair {
  name: string
  value: string
}

/**
 * A feed as edited in the form: numbers may be text while they are typed. The API never returns secrets; an
 * empty one leaves the stored one unchanged.
 */
export interface FeedDraft {
  kind: FeedKind
  version: string
  name: string
  operator: string | null
  url: string
  authKind: FeedAuthDraft['kind']
  token: string
  tokenUrl: string
  clientId: string
  clientSecret: string
  scope: string
  pairs: SecretPair[]
  intervalSeconds: number | string
  promisedMinutes: number | string
  backfillHours: number | string
  /** Settings of the kind that have no field of their own, as JSON. */
  moreSettings: string
  enabled: boolean
}

const noPair: SecretPair = { name: '', value: '' }

/** Lists the kinds of feeds of an operator; null for those of the city. */
export const listKinds = (operator: string | null): FeedKind[] =>
  (Object.keys(feedVersions) as FeedKind[]).filter(
    (kind) => fleetKinds.includes(kind) === (operator !== null),
  )

/** Returns the defaults of a new feed of a kind. */
export const createEmptyFeed = (kind: FeedKind, operator: string | null, name: string): FeedDraft => ({
  kind,
  version: feedVersions[kind][0],
  name,
  operator,
  url: '',
  authKind: kind.startsWith('mds') ? 'bearer' : 'none',
  token: '',
  tokenUrl: '',
  clientId: '',
  clientSecret: '',
  scope: '',
  pairs: [noPair],
  ...feedDefaults[kind],
  backfillHours: defaultBackfillHours,
  moreSettings: '',
  enabled: true,
})

/** Returns the draft with another kind, whose fields start with their defaults. */
export const withKind = (draft: FeedDraft, kind: FeedKind): FeedDraft => ({
  ...draft,
  kind,
  version: feedVersions[kind][0],
  ...feedDefaults[kind],
  authKind: kind.startsWith('mds') ? draft.authKind : 'none',
})

/** Returns the form of a stored feed. */
export function toFeedDraft({
  kind,
  version,
  name,
  operator,
  url,
  auth,
  settings,
  intervalSeconds,
  promisedMinutes,
  enabled,
}: Feed): FeedDraft {
  const { backfillHours = defaultBackfillHours, ...otherSettings } = settings
  return {
    ...createEmptyFeed(kind, operator, name),
    version,
    url: url ?? '',
    authKind: auth.kind,
    intervalSeconds,
    promisedMinutes,
    enabled,
    backfillHours: Number(backfillHours),
    ...(auth.kind === 'oauth' ? { tokenUrl: auth.tokenUrl, clientId: auth.clientId, scope: auth.scope } : {}),
    ...(auth.kind === 'headers' || auth.kind === 'query'
      ? { pairs: auth.names.map((pairName) => ({ name: pairName, value: '' })) }
      : {}),
    moreSettings: Object.keys(otherSettings).length ? JSON.stringify(otherSettings, null, 2) : '',
  }
}

/** Returns the credentials of the form as a request; absent secrets are left as they are. */
function toAuthRequest({
  authKind,
  token,
  tokenUrl,
  clientId,
  clientSecret,
  scope,
  pairs,
}: FeedDraft): FeedAuthDraft {
  const namedPairs = pairs
    .filter(({ name }) => name.trim() !== '')
    .map(({ name, value }) => ({ name: name.trim(), ...(value ? { value } : {}) }))
  switch (authKind) {
    case 'none':
      return { kind: 'none' }
    case 'bearer':
      return { kind: 'bearer', ...(token.trim() ? { token: token.trim() } : {}) }
    case 'oauth':
      return {
        kind: 'oauth',
        tokenUrl: tokenUrl.trim(),
        clientId: clientId.trim(),
        scope: scope.trim(),
        ...(clientSecret ? { clientSecret } : {}),
      }
    case 'headers':
      return { kind: 'headers', headers: namedPairs }
    case 'query':
      return { kind: 'query', query: namedPairs }
  }
}

/** Parses a JSON object: empty for empty text, null for text that is not an object. */
export function parseSettings(text: string): Record<string, never> | null {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, never>)
      : null
  } catch {
    return null
  }
}

const areIntegers = (values: readonly (number | string)[]): boolean =>
  values.every((value) => String(value).trim() !== '' && Number.isInteger(Number(value)))

/** Returns the request of the draft; null while the draft is invalid. */
export function toFeedRequest(draft: FeedDraft) {
  const {
    kind,
    version,
    name,
    operator,
    url,
    intervalSeconds,
    promisedMinutes,
    backfillHours,
    moreSettings,
    enabled,
  } = draft
  const otherSettings = parseSettings(moreSettings)
  if (otherSettings === null || !areIntegers([intervalSeconds, promisedMinutes, backfillHours])) return null
  const isPushed = pushedKinds.includes(kind)
  return {
    kind,
    version,
    name: name.trim(),
    operator,
    url: isPushed ? null : url.trim(),
    auth: isPushed ? ({ kind: 'none' } as const) : toAuthRequest(draft),
    settings: isPushed ? otherSettings : { ...otherSettings, backfillHours: Number(backfillHours) },
    intervalSeconds: Number(intervalSeconds),
    promisedMinutes: Number(promisedMinutes),
    enabled,
  }
}
