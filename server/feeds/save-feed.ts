import { randomUUID } from 'node:crypto'
import { type Feed, feedDefaults, type FeedChange, type FeedKind, type NewFeed } from '#contract/feeds.ts'
import { Problem } from '#server/http/problem.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { FullAuth } from './auth/full-auth.ts'
import { openAuth, sealAuth, UnreadableSecrets } from './auth/sealed-auth.ts'
import { checkFeed, resolveAuth } from './check-feed.ts'
import { findSources } from './feed-source.ts'
import { adapterOf, type Feeds } from './feeds.ts'
import { findFeed, findFeedRow } from './find-feeds.ts'
import { typedSettings, withDiscovered } from './discovered-settings.ts'
import type { FeedRow } from './read-feed.ts'
import { continuousStart } from './pull/windows/pull-window.ts'
import { planPullWindows } from './pull/windows/plan-pull-windows.ts'

type SaveContext = Pick<Feeds, 'state' | 'box' | 'adapters'>
type By = Pick<Viewer, 'organizationId' | 'scope'>

/** Enqueues the first pull windows at once: those of a backfill must not be taken for the last known ones. */
async function plan(context: SaveContext, feedId: string, at: Date): Promise<void> {
  const [source] = await findSources(context, [feedId])
  const adapter = source && adapterOf(context.adapters, { kind: source.kind, version: source.feed.version })
  if (source?.feed.url && adapter) await planPullWindows(context.state, adapter, source.feed, at)
}

/** Adds a feed to a region in the Scope. */
export async function createFeed(
  context: SaveContext,
  { organizationId, scope }: By,
  regionId: string,
  given: NewFeed,
  at: Date,
): Promise<Feed> {
  const { state, box } = context
  await findRegion(state, scope, regionId)
  const auth = resolveAuth(given.auth, { kind: 'none' }, { before: given.url, after: given.url })
  await checkFeed(context, organizationId, scope, { ...given, auth })
  const feedId = randomUUID()
  const defaults = feedDefaults[given.kind]
  await state
    .as(scope)
    .insertInto('feed')
    .values({
      feed_id: feedId,
      region_id: regionId,
      operator: given.operator,
      kind: given.kind,
      version: given.version,
      name: given.name,
      url: given.url,
      auth_kind: auth.kind,
      sealed_secrets: sealAuth(box, feedId, auth),
      settings: JSON.stringify(typedSettings(given.settings)),
      interval_seconds: given.intervalSeconds ?? defaults.intervalSeconds,
      promised_minutes: given.promisedMinutes ?? defaults.promisedMinutes,
      enabled: given.enabled,
      created_time: at,
    })
    .execute()
  if (given.enabled) await plan(context, feedId, at)
  return findFeed(context, scope, { region_id: regionId, feed_id: feedId })
}

/** Secrets that can no longer be opened count as none: new ones may be given. */
export function storedAuth({ box }: Pick<SaveContext, 'box'>, row: FeedRow): FullAuth {
  try {
    return openAuth(box, row)
  } catch (error) {
    if (error instanceof UnreadableSecrets) return { kind: 'none' }
    throw error
  }
}

/** Changes a feed in the Scope; omitted fields stay. */
export async function changeFeed(
  context: SaveContext,
  { organizationId, scope }: By,
  ids: { region_id: string; feed_id: string },
  change: FeedChange,
  at: Date,
): Promise<Feed> {
  const { state, box } = context
  const now = await findFeedRow(state.as(scope), ids)
  const stored = storedAuth(context, now)
  const url = change.url === undefined ? now.url : change.url
  // Omitted credentials are treated like a draft that retains every secret, including the check of the server.
  const auth = change.auth
    ? resolveAuth(change.auth, stored, { before: now.url, after: url })
    : unchangedAuth(stored, now.url, url)
  const version = change.version ?? now.version
  const operator = change.operator === undefined ? now.operator : change.operator
  await checkFeed(context, organizationId, scope, {
    kind: now.kind as FeedKind,
    version,
    operator,
    url,
    auth,
  })
  const enabled = change.enabled ?? now.enabled
  await state
    .as(scope)
    .updateTable('feed')
    .set({
      operator,
      version,
      name: change.name ?? now.name,
      url,
      enabled,
      interval_seconds: change.intervalSeconds ?? now.interval_seconds,
      promised_minutes: change.promisedMinutes ?? now.promised_minutes,
      ...(change.auth ? { auth_kind: auth.kind, sealed_secrets: sealAuth(box, now.feed_id, auth) } : {}),
      settings: JSON.stringify(
        withDiscovered(change.settings ?? now.settings, now.settings, url === now.url),
      ),
      ...(enabled ? {} : { problem: null, problem_since: null }),
    })
    .where('feed_id', '=', now.feed_id)
    .execute()
  // Failed pull windows may succeed now, and continuous streams have another interval.
  await state
    .as(scope)
    .updateTable('pull_window')
    .set({ next_time: at })
    .where('feed_id', '=', now.feed_id)
    .where((is) => is.or([is('status', '=', 'failed'), is('window_start', '=', new Date(continuousStart))]))
    .execute()
  if (enabled) await plan(context, now.feed_id, at)
  return findFeed(context, scope, ids)
}

function unchangedAuth(stored: FullAuth, before: string | null, after: string | null): FullAuth {
  const draft =
    stored.kind === 'headers'
      ? { kind: stored.kind, headers: stored.headers.map(({ name }) => ({ name })) }
      : stored.kind === 'query'
        ? { kind: stored.kind, query: stored.query.map(({ name }) => ({ name })) }
        : stored.kind === 'oauth'
          ? { kind: stored.kind, tokenUrl: stored.tokenUrl, clientId: stored.clientId, scope: stored.scope }
          : { kind: stored.kind }
  return resolveAuth(draft, stored, { before, after })
}

/** Removes a feed in the Scope with its pull windows and tokens. Its records stay. */
export async function deleteFeed(
  { state }: Pick<Feeds, 'state'>,
  scope: Scope,
  { region_id: regionId, feed_id: feedId }: { region_id: string; feed_id: string },
): Promise<{ deleted: boolean }> {
  await state
    .as(scope)
    .deleteFrom('feed')
    .where('region_id', '=', regionId)
    .where('feed_id', '=', feedId)
    .returning('feed_id')
    .executeTakeFirstOrThrow(() => new Problem('not_found', 'There is no such feed.'))
  return { deleted: true }
}
