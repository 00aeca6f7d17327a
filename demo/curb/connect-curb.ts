import { dayMs } from '#contract/period.ts'
import type { App } from '#server/app.ts'
import { makeAgencyToken } from '#server/feeds/agency/tokens.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, facts, sql } from '#server/stores/sql.ts'
import { toDateTime } from '#server/stores/date-time.ts'
import type { DemoOperators } from '../servers/open-demo-operators.ts'
import { curbFeedKinds } from './curb-feeds.ts'
import { demoSeed, readDemoRegion } from '../demo-region.ts'
import { readCurbPlaces } from './curb-places.ts'
import type { CurbFeed } from './push-curb.ts'

const maxGapMs = 7 * dayMs

export interface ConnectCurbOptions {
  regionId: string
  operators: Pick<DemoOperators, 'pushCurb'>
  /** Address of this server's CDS Events API for the region. */
  url: string
  at: Date
}

/** Finds the time (ms) of the last stored curb event of a week; at most the time of its receipt. */
async function findLastEventMs(
  store: App['facts'],
  scope: Scope,
  regionId: string,
  at: Date,
): Promise<number> {
  const sinceMs = at.getTime() - maxGapMs
  const [row] = await store.rows<{ last: string }>(
    scope,
    sql`select toString(toUnixTimestamp64Milli(max(least(event_time, received_time)))) as last from ${facts('curb_events')} where region_id = ${bind('String', regionId)} and event_time >= ${toDateTime(sinceMs)}`,
  )
  return Math.max(sinceMs, Number(row?.last ?? 0))
}

/** Starts pushes of sensors and delivery fleets with new tokens. Feeds that a user removed are skipped. */
export async function connectCurb(
  app: Pick<App, 'state' | 'facts'>,
  scope: Scope,
  { regionId, operators, url, at }: ConnectCurbOptions,
): Promise<void> {
  const store = app.state.as(scope)
  const region = await readDemoRegion(store, regionId)
  const rows = await store
    .selectFrom('feed')
    .select(['feed_id', 'name'])
    .where('region_id', '=', regionId)
    .where('kind', '=', 'cds_push')
    .execute()
  const feeds: CurbFeed[] = []
  for (const { name, kind } of curbFeedKinds) {
    const row = rows.find((row) => row.name === name)
    if (!row) continue
    await store
      .deleteFrom('api_key')
      .where('feed_id', '=', row.feed_id)
      .where('has_owner', '=', false)
      .execute()
    const { token } = await makeAgencyToken(app.state.as(scope), row.feed_id, { actor: null, at })
    feeds.push({ name, kind, token })
  }
  if (!feeds.length) return
  const places = await readCurbPlaces(app.state, scope, { regionId, center: region, seed: demoSeed })
  operators.pushCurb({
    url,
    feeds,
    places: places.filter(({ hasSensor, use }) => hasSensor || use === 'smart'),
    timezone: region.timezone,
    fromMs: await findLastEventMs(app.facts, scope, regionId, at),
  })
}
