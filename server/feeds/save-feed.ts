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
import { findAdapter } from './adapters/list.ts'
import type { FeedServices } from './feed-services.ts'
import { findFeed, findFeedRow } from './find-feeds.ts'
import { getEnteredSettings, withDiscovered } from './discovered-settings.ts'
import type { FeedRow } from './read-feed.ts'
import { continuousStart } from './pull/windows/pull-window.ts'
import { planPullWindows } from './pull/windows/plan-pull-windows.ts'

type SaveContext = Pick<FeedServices, 'state' | 'secretBox' | 'adapters'>
type Author = Pick<Viewer, 'organizationId' | 'scope'>

/**
 * Enqueues the first pull windows immediately, so that windows of a later backfill are not mistaken for the
 * last planned ones.
 */
async function planFirstWindows(context: SaveContext, feedId: string, at: Date): Promise<void> {
  const [source] = await findSources(context, [feedId])
  const adapter = source && findAdapter(context.adapters, { kind: source.kind, version: source.feed.version })
  if (source?.feed.url && adapter) await planPullWindows(context.state, adapter, source.feed, at)
}

/** Creates a feed. @throws Problem `validation_error` if it is invalid or a secret is missing. */
export async function createFeed(
  context: SaveContext,
  {
    viewer: { organizationId, scope },
    params: { region_id: regionId },
    body: feed,
    at,
  }: { viewer: Author; params: { region_id: string }; body: NewFeed; at: Date },
): Promise<Feed> {
  const { state, secretBox } = context
  await findRegion(state, scope, regionId)
  const auth = resolveAuth(feed.auth, { kind: 'none' }, { before: feed.url, after: feed.url })
  await checkFeed(context, organizationId, scope, { ...feed, auth })
  const feedId = randomUUID()
  const defaults = feedDefaults[feed.kind]
  await state
    .as(scope)
    .insertInto('feed')
    .values({
      feed_id: feedId,
      region_id: regionId,
      operator: feed.operator,
      kind: feed.kind,
      version: feed.version,
      name: feed.name,
      url: feed.url,
      auth_kind: auth.kind,
      sealed_secrets: sealAuth(secretBox, feedId, auth),
      settings: JSON.stringify(getEnteredSettings(feed.settings)),
      interval_seconds: feed.intervalSeconds ?? defaults.intervalSeconds,
      promised_minutes: feed.promisedMinutes ?? defaults.promisedMinutes,
      enabled: feed.enabled,
      created_time: at,
    })
    .execute()
  if (feed.enabled) await planFirstWindows(context, feedId, at)
  return findFeed(context, scope, { region_id: regionId, feed_id: feedId })
}

/** Reads the stored credentials; none if they can no longer be opened, so that new ones can be entered. */
export function readStoredAuth({ secretBox }: Pick<SaveContext, 'secretBox'>, row: FeedRow): FullAuth {
  try {
    return openAuth(secretBox, row)
  } catch (error) {
    if (error instanceof UnreadableSecrets) return { kind: 'none' }
    throw error
  }
}

/** Changes a feed. Omitted fields remain unchanged. */
export async function changeFeed(
  context: SaveContext,
  {
    viewer: { organizationId, scope },
    params,
    body: change,
    at,
  }: { viewer: Author; params: { region_id: string; feed_id: string }; body: FeedChange; at: Date },
): Promise<Feed> {
  const { state, secretBox } = context
  const current = await findFeedRow(state.as(scope), params)
  const storedAuth = readStoredAuth(context, current)
  const url = change.url === undefined ? current.url : change.url
  // Stored credentials count as a draft without secrets, so that a change of the server is checked as well.
  const authDraft = change.auth ?? removeSecrets(storedAuth)
  const auth = resolveAuth(authDraft, storedAuth, { before: current.url, after: url })
  const version = change.version ?? current.version
  const operator = change.operator === undefined ? current.operator : change.operator
  await checkFeed(context, organizationId, scope, {
    kind: current.kind as FeedKind,
    version,
    operator,
    url,
    auth,
  })
  const enabled = change.enabled ?? current.enabled
  await state
    .as(scope)
    .updateTable('feed')
    .set({
      operator,
      version,
      name: change.name ?? current.name,
      url,
      enabled,
      interval_seconds: change.intervalSeconds ?? current.interval_seconds,
      promised_minutes: change.promisedMinutes ?? current.promised_minutes,
      ...(change.auth
        ? { auth_kind: auth.kind, sealed_secrets: sealAuth(secretBox, current.feed_id, auth) }
        : {}),
      settings: JSON.stringify(
        withDiscovered(change.settings ?? current.settings, current.settings, url === current.url),
      ),
      ...(enabled ? {} : { problem: null, problem_since: null }),
    })
    .where('feed_id', '=', current.feed_id)
    .execute()
  // Failed pull windows may succeed now, and continuous streams may have another interval.
  await state
    .as(scope)
    .updateTable('pull_window')
    .set({ next_time: at })
    .where('feed_id', '=', current.feed_id)
    .where((where) =>
      where.or([where('status', '=', 'failed'), where('window_start', '=', new Date(continuousStart))]),
    )
    .execute()
  if (enabled) await planFirstWindows(context, current.feed_id, at)
  return findFeed(context, scope, params)
}

/** Converts credentials to a draft in which all secrets are omitted. */
function removeSecrets(auth: FullAuth): Parameters<typeof resolveAuth>[0] {
  const { kind } = auth
  if (kind === 'headers') return { kind, headers: auth.headers.map(({ name }) => ({ name })) }
  if (kind === 'query') return { kind, query: auth.query.map(({ name }) => ({ name })) }
  if (kind === 'oauth') return { kind, tokenUrl: auth.tokenUrl, clientId: auth.clientId, scope: auth.scope }
  return { kind }
}

/** Deletes a feed with its pull windows and API keys. Its records remain. */
export async function deleteFeed(
  { state }: Pick<FeedServices, 'state'>,
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
