import { dayMs } from '#contract/period.ts'
import type { App } from '#server/app.ts'
import { makeAgencyToken } from '#server/feeds/agency/tokens.ts'
import { changeFeed } from '#server/feeds/save-feed.ts'
import { regionScope, systemScope } from '#server/identity/scope.ts'
import { adapters } from '#server/feeds/adapters/list.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { SecretBox } from '#server/stores/secret-box.ts'
import { bind, facts, sql } from '#server/stores/sql.ts'
import { connectCurb } from './curb/connect-curb.ts'
import { demoRegionId, findDemoRegion } from './demo-region.ts'
import { listOperatorFeeds } from './operator-feeds.ts'
import type { DemoOperators } from './servers/open-demo-operators.ts'

export interface ConnectOptions {
  secretBox: SecretBox
  operators: DemoOperators
  /** Addresses of this server's MDS Agency API and CDS Events API. */
  agencyUrl: string
  curbUrl: string
  at: Date
}

/** Finds the time (ms) of an operator's last stored event, where its pushes continue; at most a week ago. */
async function findLastEventMs(
  store: App['facts'],
  scope: Scope,
  operator: string,
  at: Date,
): Promise<number> {
  const sinceMs = at.getTime() - 7 * dayMs
  const [row] = await store.rows<{ last: string }>(
    scope,
    sql`select toString(toUnixTimestamp64Milli(max(event_time))) as last from ${facts('vehicle_events')} where region_id = ${bind('String', demoRegionId)} and operator = ${bind('String', operator)} and event_time >= fromUnixTimestamp64Milli(${bind('Int64', sinceMs)})`,
  )
  return Math.max(sinceMs, Number(row?.last ?? 0))
}

/** Points the demo's unchanged feeds to the operators' current addresses, and starts the pushes. */
export async function connectOperators(
  app: Pick<App, 'state' | 'facts'>,
  { secretBox, operators, agencyUrl, curbUrl, at }: ConnectOptions,
): Promise<void> {
  const region = await findDemoRegion(app.state.as(systemScope))
  if (!region) return
  const scope = regionScope(region.organization_id, demoRegionId)
  const actor = { organizationId: region.organization_id, scope }
  const feedContext = { state: app.state, secretBox, adapters }
  for (const { operator, kind, name, url, auth } of listOperatorFeeds(operators, 0)) {
    const row = await app.state
      .as(scope)
      .selectFrom('feed')
      .select(['feed_id', 'url'])
      .where('region_id', '=', demoRegionId)
      .where('operator', '=', operator)
      .where('kind', '=', kind)
      .where('name', '=', name)
      .executeTakeFirst()
    if (!row) continue
    if (kind === 'mds_agency') {
      await app.state
        .as(scope)
        .deleteFrom('api_key')
        .where('feed_id', '=', row.feed_id)
        .where('has_owner', '=', false)
        .execute()
      const { token } = await makeAgencyToken(app.state.as(scope), row.feed_id, { actor: null, at })
      operators.push({
        url: agencyUrl,
        token,
        fromMs: await findLastEventMs(app.facts, scope, operator ?? '', at),
      })
    } else if (row.url?.startsWith('http://127.0.0.1:'))
      await changeFeed(feedContext, {
        viewer: actor,
        params: { region_id: demoRegionId, feed_id: row.feed_id },
        body: { url, auth },
        at,
      })
  }
  await connectCurb(app, scope, {
    regionId: demoRegionId,
    operators,
    url: `${curbUrl}/${demoRegionId}`,
    at,
  })
}
