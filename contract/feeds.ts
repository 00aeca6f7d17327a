import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { FeedAuth, FeedAuthDraft } from './feed-auth.ts'
import { nameSchema } from './names.ts'
import { operatorSlug } from './operators.ts'
import { orderQuery, pageQuery, pageSchema } from './page.ts'

/** The kinds of feeds and the readable versions of each, newest first. */
export const feedVersions = {
  mds_provider: ['2.0', '1.2'],
  mds_agency: ['2.0', '1.2'],
  gbfs: ['3.0', '2.3', '1.0'],
  open311: ['v2'],
  weather: ['open_meteo', 'ghcn_daily'],
  cds_events: ['1.1', '1.0'],
  cds_push: ['1.1'],
  sensor_states: ['table'],
} as const
export const FeedKind = z.enum(Object.keys(feedVersions) as [keyof typeof feedVersions])
export type FeedKind = z.infer<typeof FeedKind>
export const feedKinds = FeedKind.options

/** Names of the kinds of feeds: a short one, and the label of the choice in forms. */
export const feedKindTexts: Readonly<
  Record<FeedKind, Readonly<Record<'en' | 'es', { name: string; choice: string }>>>
> = {
  mds_provider: {
    en: { name: 'MDS Provider', choice: 'MDS Provider (we fetch)' },
    es: { name: 'MDS Provider', choice: 'MDS Provider (los obtenemos)' },
  },
  mds_agency: {
    en: { name: 'MDS Agency', choice: 'MDS Agency (operator sends)' },
    es: { name: 'MDS Agency', choice: 'MDS Agency (el operador envía)' },
  },
  gbfs: { en: { name: 'GBFS', choice: 'GBFS' }, es: { name: 'GBFS', choice: 'GBFS' } },
  open311: { en: { name: 'Open311', choice: 'Open311' }, es: { name: 'Open311', choice: 'Open311' } },
  weather: { en: { name: 'Weather', choice: 'Weather' }, es: { name: 'Clima', choice: 'Clima' } },
  cds_events: {
    en: { name: 'CDS Events', choice: 'CDS Events (we fetch)' },
    es: { name: 'CDS Events', choice: 'CDS Events (los obtenemos)' },
  },
  cds_push: {
    en: { name: 'CDS Events (sent)', choice: 'CDS Events (source sends)' },
    es: { name: 'CDS Events (enviados)', choice: 'CDS Events (la fuente envía)' },
  },
  sensor_states: {
    en: { name: 'Parking sensors', choice: 'Parking sensors (we fetch)' },
    es: { name: 'Sensores de estacionamiento', choice: 'Sensores de estacionamiento (los obtenemos)' },
  },
}

/** Kinds that deliver the vehicles of an operator. */
export const fleetKinds: readonly FeedKind[] = ['mds_provider', 'mds_agency', 'gbfs']
/** Kinds that are not fetched: operators and sensors push to us. */
export const pushedKinds: readonly FeedKind[] = ['mds_agency', 'cds_push']

/** Defaults by kind: seconds between requests of current data, and its maximum delay in minutes. */
export const feedDefaults: Readonly<Record<FeedKind, { intervalSeconds: number; promisedMinutes: number }>> =
  {
    mds_provider: { intervalSeconds: 60, promisedMinutes: 120 },
    mds_agency: { intervalSeconds: 60, promisedMinutes: 5 },
    gbfs: { intervalSeconds: 60, promisedMinutes: 5 },
    open311: { intervalSeconds: 900, promisedMinutes: 1440 },
    weather: { intervalSeconds: 21_600, promisedMinutes: 2880 },
    cds_events: { intervalSeconds: 300, promisedMinutes: 120 },
    cds_push: { intervalSeconds: 60, promisedMinutes: 60 },
    sensor_states: { intervalSeconds: 60, promisedMinutes: 60 },
  }

/**
 * State of a pull window. `wanted`: not requested yet. `waiting`: requested, but not ready at the operator.
 * `done`: stored. `nothing`: the operator has no data. `failed`: will be retried.
 */
export const pullWindowStatuses = ['wanted', 'waiting', 'done', 'nothing', 'failed'] as const
export const PullWindowStatus = z.enum(pullWindowStatuses)
export type PullWindowStatus = z.infer<typeof PullWindowStatus>

const Time = z.iso.datetime({ offset: true })
const MaybeTime = z.string().nullable()

/** Hours before its creation from which a feed requests data, unless its settings say otherwise. */
export const defaultBackfillHours = 24
/** Settings of a feed besides its address; kinds may add more. */
export const FeedSettings = z
  .object({ backfillHours: z.number().int().min(0).max(17_520).optional() })
  .catchall(z.json())
  .refine((settings) => JSON.stringify(settings).length <= 8000, 'Settings are larger than 8,000 characters')
export type FeedSettings = z.infer<typeof FeedSettings>

/** A feed of a region, without its secrets. */
export const Feed = z
  .object({
    feedId: z.uuid(),
    regionId: z.string(),
    operator: z.string().nullable(),
    kind: FeedKind,
    version: z.string(),
    name: z.string(),
    url: z.string().nullable(),
    auth: FeedAuth,
    settings: z.record(z.string(), z.unknown()),
    /** Seconds between two requests of a stream that changes continuously. */
    intervalSeconds: z.number().int(),
    /** Maximum age of the newest record; beyond it the feed is late. */
    promisedMinutes: z.number().int(),
    enabled: z.boolean(),
    createdTime: z.string(),
    lastAttemptTime: MaybeTime,
    lastSuccessTime: MaybeTime,
    /** Time of the newest record. */
    lastRecordTime: MaybeTime,
    /** Time of the next request; null for a feed that is not fetched. */
    nextTime: MaybeTime,
    /** Current problem in a sentence; null: none. */
    problem: z.string().nullable(),
    problemSince: MaybeTime,
    /** Number of pull windows by status. */
    pullWindows: z.record(PullWindowStatus, z.number().int()),
  })
  .meta({ id: 'Feed' })
export type Feed = z.infer<typeof Feed>

// No defaults: a change leaves omitted fields unchanged.
const feedFields = {
  operator: operatorSlug.nullable(),
  kind: FeedKind,
  version: z.string().max(20),
  name: nameSchema(120),
  url: z
    .url({ protocol: /^https?$/ })
    .max(2000)
    .nullable(),
  auth: FeedAuthDraft,
  settings: FeedSettings,
  intervalSeconds: z.number().int().min(10).max(86_400),
  promisedMinutes: z.number().int().min(1).max(44_640),
  enabled: z.boolean(),
}
export const FeedChange = z.object(feedFields).omit({ kind: true }).partial().meta({ id: 'FeedChange' })
export type FeedChange = z.infer<typeof FeedChange>
export const NewFeed = z
  .object({
    ...feedFields,
    operator: feedFields.operator.default(null),
    url: feedFields.url.default(null),
    auth: FeedAuthDraft.default({ kind: 'none' }),
    settings: FeedSettings.default({}),
    enabled: feedFields.enabled.default(true),
  })
  .partial({ intervalSeconds: true, promisedMinutes: true })
  .meta({ id: 'NewFeed' })
export type NewFeed = z.infer<typeof NewFeed>

/** Result of one test request to one stream, as parsed. Nothing is stored. */
export const StreamTest = z
  .object({
    stream: z.string(),
    status: z.number().int().nullable(),
    milliseconds: z.number(),
    bytes: z.number().int(),
    /** Number of valid records. */
    read: z.number().int(),
    /** Number of rejected records. */
    setAside: z.number().int(),
    reasons: z.array(z.object({ reason: z.string(), count: z.number().int() })),
    /** The first records of each parsed list. */
    lists: z.array(z.object({ name: z.string(), count: z.number().int(), first: z.array(z.unknown()) })),
    /** Whether more pages follow; a test reads only the first. */
    hasMore: z.boolean(),
    /** Why the response is unusable; null if it is fine. */
    problem: z.string().nullable(),
    /** A valid response without data (yet). */
    note: z.enum(['not_yet', 'nothing']).nullable(),
  })
  .meta({ id: 'StreamTest' })
export type StreamTest = z.infer<typeof StreamTest>

export const PullWindow = z
  .object({
    stream: z.string(),
    windowStart: z.string(),
    status: PullWindowStatus,
    tries: z.number().int(),
    nextTime: z.string().nullable(),
    records: z.number().int(),
    problem: z.string().nullable(),
    doneTime: z.string().nullable(),
  })
  .meta({ id: 'PullWindow' })
export type PullWindow = z.infer<typeof PullWindow>

/** A token that allows an operator to push. The token itself is shown only once. */
export const AgencyToken = z
  .object({
    tokenId: z.string(),
    hint: z.string(),
    createdBy: z.string().nullable(),
    createdTime: z.string(),
    expiresTime: MaybeTime,
    lastUsedTime: MaybeTime,
    revokedTime: MaybeTime,
  })
  .meta({ id: 'AgencyToken' })
export type AgencyToken = z.infer<typeof AgencyToken>

const span = { streams: z.array(z.string().max(80)).max(20).default([]), from: Time, until: Time }
const regionParams = z.object({ region_id: z.string() })
const feedParams = regionParams.extend({ feed_id: z.uuid() })
const listPath = '/regions/{region_id}/feeds'
const feedPath = `${listPath}/{feed_id}` as const

export const listFeeds = endpoint({
  route: `GET ${listPath}`,
  permission: 'is_admin',
  summary: 'Feeds of a region with their state',
  request: { params: regionParams },
  response: z.array(Feed),
})
export const createFeed = endpoint({
  route: `POST ${listPath}`,
  prefixes: ['/v2'],
  permission: 'is_admin',
  summary: 'Add a feed',
  request: { params: regionParams, body: NewFeed },
  response: Feed,
})
export const testFeed = endpoint({
  route: `POST ${listPath}/test`,
  permission: 'is_admin',
  personal: true,
  reads: true,
  summary: 'Request each stream of a feed once and show the first records as parsed; nothing is stored',
  request: {
    params: regionParams,
    body: z.object({ feed_id: z.uuid().nullable().default(null), feed: NewFeed.nullable().default(null) }),
  },
  response: z.array(StreamTest),
})
export const changeFeed = endpoint({
  route: `PATCH ${feedPath}`,
  permission: 'is_admin',
  summary: 'Change a feed; omitted secrets stay unchanged',
  request: { params: feedParams, body: FeedChange },
  response: Feed,
})
export const deleteFeed = endpoint({
  route: `DELETE ${feedPath}`,
  permission: 'is_admin',
  summary: 'Remove a feed; its data stays',
  request: { params: feedParams },
  response: z.object({ deleted: z.boolean() }),
})
export const backFillFeed = endpoint({
  route: `POST ${feedPath}/back_fill`,
  permission: 'is_admin',
  summary: 'Request the pull windows of a span; with `again` also those that are done',
  request: { params: feedParams, body: z.object({ ...span, again: z.boolean().default(false) }) },
  response: z.object({ wanted: z.number().int() }),
})
export const pullFeed = endpoint({
  route: `POST ${feedPath}/pull`,
  permission: 'is_admin',
  summary: 'Request all open pull windows now instead of at their scheduled time',
  request: { params: feedParams },
  response: z.object({ requested: z.number().int() }),
})
export const rereadFeed = endpoint({
  route: `POST ${feedPath}/reread`,
  permission: 'is_admin',
  summary: 'Replay the stored responses of a span without a request to the operator',
  request: { params: feedParams, body: z.object(span) },
  response: z.object({
    files: z.number().int(),
    accepted: z.number().int(),
    setAside: z.number().int(),
    repeated: z.number().int(),
    unreadable: z.number().int(),
  }),
})
export const pullWindowOrders = ['window_start', 'stream', 'status', 'records'] as const
export const listPullWindows = endpoint({
  route: `GET ${feedPath}/pull-windows`,
  permission: 'is_admin',
  summary: 'Pull windows of a feed, newest first unless sorted',
  request: {
    params: feedParams,
    query: z.object({
      status: PullWindowStatus.optional(),
      stream: z.string().max(80).optional(),
      ...pageQuery(50, 1000),
      ...orderQuery(pullWindowOrders, '-window_start'),
    }),
  },
  response: pageSchema(PullWindow).extend({ streams: z.array(z.string()) }),
})
export const listAgencyTokens = endpoint({
  route: `GET ${feedPath}/tokens`,
  permission: 'is_admin',
  summary: 'Tokens with which an operator pushes to a feed',
  request: { params: feedParams },
  response: z.array(AgencyToken),
})
export const makeAgencyToken = endpoint({
  route: `POST ${feedPath}/tokens`,
  prefixes: ['/v2'],
  permission: 'is_admin',
  summary: 'Create a token; it is shown only once',
  request: { params: feedParams },
  response: z.object({ token: z.string() }),
})
export const revokeAgencyToken = endpoint({
  route: `DELETE ${feedPath}/tokens/{token_id}`,
  permission: 'is_admin',
  summary: 'Revoke a token',
  request: { params: feedParams.extend({ token_id: z.string().max(200) }) },
  response: z.object({ revoked: z.boolean() }),
})
export const listMdsOperators = endpoint({
  route: 'GET /regions/{region_id}/mds_operators',
  permission: 'signed_in',
  scope: 'mds.provider:read',
  summary: 'Operators with MDS feeds in the region, and in which versions',
  request: { params: regionParams },
  response: z.object({
    items: z.array(
      z.object({
        slug: z.string(),
        name: z.string(),
        colorHex: z.string(),
        providerId: z.string().nullable(),
        versions: z.array(z.string()),
      }),
    ),
  }),
})
