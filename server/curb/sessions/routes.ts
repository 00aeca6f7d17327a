import * as contract from '#contract/curb-sessions.ts'
import { localDay } from '#contract/period.ts'
import { RawResponse, type Route, route } from '#server/http/route.ts'
import type { FindViewer, Viewer } from '#server/http/viewer.ts'
import { findRegion } from '#server/regions/read-region.ts'
import { canViewRegion } from '#server/live/can-view-region.ts'
import { StreamLimit } from '#server/live/stream-limit.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { State } from '#server/stores/state.ts'
import type { CurbIndexes } from '../store/curb-index.ts'
import { listCurbViolations } from './list-violations.ts'
import { listCurbZoneSessions } from './list-zone-sessions.ts'
import { streamCurbActivity } from './curb-stream.ts'
import { getCurbActivity } from './live-zones.ts'
import type { CurbSessions } from './curb-sessions.ts'
import { getCurbMetricsByShape, getCurbMetricsByTime } from './curb-metrics.ts'
import type { MetricsContext } from './metrics-context.ts'
import { queryCurbMetrics, refuseOperators } from './query-curb-metrics.ts'

interface Sources {
  state: State
  facts: Facts
  sessions: CurbSessions
  indexes: CurbIndexes
  getViewer: FindViewer
  now: () => Date
}

export function curbSessionRoutes({ state, facts, sessions, indexes, getViewer, now }: Sources): Route[] {
  const streams = new StreamLimit()
  return [
    route(contract.queryCurbMetrics, async (call) =>
      queryCurbMetrics({ state, facts }, await openContext(state, call), call.body),
    ),
    route(contract.getCurbMetricsByTime, async (call) =>
      getCurbMetricsByTime({ state, facts }, await openContext(state, call), call.query),
    ),
    route(contract.getCurbMetricsByShape, async (call) =>
      getCurbMetricsByShape({ state, facts }, await openContext(state, call), call.query),
    ),
    route(contract.getCurbActivity, async ({ viewer: { scope }, params, at }) => {
      const { regionId } = await findRegion(state, scope, params.region_id)
      refuseOperators(scope)
      return getCurbActivity({ state, facts, indexes }, { scope, regionId }, at)
    }),
    route(contract.streamCurbActivity, async ({ viewer, params, headers, signal }) => {
      const { regionId } = await findRegion(state, viewer.scope, params.region_id)
      refuseOperators(viewer.scope)
      const release = streams.enter(viewer.admin?.userId ?? viewer.userId)
      const stream = streamCurbActivity({
        sources: { state, facts, indexes },
        region: { scope: viewer.scope, regionId },
        sessions,
        now,
        canView: () => canViewRegion(getViewer, headers, viewer, regionId),
        signal,
      })
      stream.once('close', release)
      return new RawResponse(stream, {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store, no-transform',
        'x-accel-buffering': 'no',
      })
    }),
    route(contract.listCurbViolations, async ({ viewer: { scope }, params, query, at }) => {
      const { regionId, timezone } = await findRegion(state, scope, params.region_id)
      refuseOperators(scope)
      return listCurbViolations(
        { state, facts },
        await indexes.get(scope, regionId),
        { scope, regionId, timezone },
        { first: query.start_date, last: query.end_date, zoneId: query.curb_zone_id, at },
      )
    }),
    route(contract.listCurbZoneSessions, async ({ viewer: { scope }, params, query, at }) => {
      const { regionId, timezone } = await findRegion(state, scope, params.region_id)
      refuseOperators(scope)
      return listCurbZoneSessions(
        facts,
        { scope, regionId, timezone },
        { zoneId: params.curb_zone_id, date: query.date ?? localDay(at, timezone), at },
      )
    }),
  ]
}

const openContext = async (
  state: State,
  {
    viewer: { scope },
    params,
    at,
    signal,
  }: { viewer: Viewer; params: { region_id: string }; at: Date; signal: AbortSignal },
): Promise<MetricsContext> => ({
  scope,
  region: await findRegion(state, scope, params.region_id),
  at,
  signal,
})
