import { getBikeshare, getBikeshareDownloadUrl, getBikeshareStations } from '#contract/bikeshare.ts'
import {
  listMetricRecords as listMetricRecordsEndpoint,
  queryDistribution as queryDistributionEndpoint,
  queryMetrics as queryMetricsEndpoint,
} from '#contract/metrics.ts'
import * as external from '#contract/external.ts'
import * as mdsMetrics from '#contract/mds-metrics.ts'
import { getParkingSessionsByMakeModel } from '#contract/parking-sessions.ts'
import type { KeySettings } from '#server/api-keys/list-keys.ts'
import { type Route, route } from '#server/http/route.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { ReportFacts } from '#server/fleet/reports/report-facts-product.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import {
  writeBikeshareFile,
  readBikeshareMetadata,
  makeBikeshareUrl,
  findBikeshareRegion,
} from './bikeshare/bikeshare-report.ts'
import { checkNames } from './exports/check-question.ts'
import { listMetricRecords } from './list-metric-records.ts'
import { DistributionCache, queryDistribution } from './query-distribution.ts'
import { listMetricsTokens, makeMetricsToken, revokeMetricsToken } from './mds-metrics/metrics-tokens.ts'
import { readParkingSessions } from './parking-sessions.ts'
import {
  readAverageOperationalVehicles,
  readMobilityMetrics,
  readTripsSummary,
} from './external/external-figures.ts'
import { type MetricsCaller, MetricsCache, queryMetrics } from './query-metrics.ts'

interface ReportingOptions {
  state: State
  facts: Facts
  reports: ReportFacts
  publicUrl: string
  keySettings: KeySettings
}

export function reportingRoutes({
  state,
  facts,
  reports,
  publicUrl,
  keySettings,
}: ReportingOptions): Route[] {
  const sources = { facts, reports, cache: new MetricsCache() }
  const distributions = new DistributionCache()
  const makeCaller = async (scope: Scope, regionId: string, at: Date): Promise<MetricsCaller> => ({
    scope,
    region: await findRegion(state, scope, regionId),
    at,
  })
  return [
    route(queryMetricsEndpoint, async ({ viewer: { scope }, params, body, at }) => {
      const caller = await makeCaller(scope, params.region_id, at)
      const result = await queryMetrics(sources, caller, body)
      // Without rows, an unknown operator is an error, and not an operator without data.
      if (!result.period.rows.length)
        await checkNames({ state, facts }, scope, caller.region.regionId, {
          operators: body.operators,
          shape_layer_uuid: null,
        })
      return result
    }),
    route(queryDistributionEndpoint, async ({ viewer: { scope }, params, body }) =>
      queryDistribution(
        { facts, reports, cache: distributions },
        { scope, region: await findRegion(state, scope, params.region_id) },
        body,
      ),
    ),
    route(listMetricRecordsEndpoint, async ({ viewer, params, body, at }) =>
      listMetricRecords(
        facts,
        { viewer, region: await findRegion(state, viewer.scope, params.region_id), at },
        body,
      ),
    ),
    route(getParkingSessionsByMakeModel, async ({ viewer: { scope }, params, query, at, signal, headers }) =>
      readParkingSessions(
        facts,
        { scope, region: await findRegion(state, scope, params.region_id), at, signal, headers },
        query,
      ),
    ),
    route(getBikeshare, async ({ viewer: { scope }, params }) =>
      readBikeshareMetadata(facts, scope, await findBikeshareRegion(state, scope, params.region_id)),
    ),
    route(getBikeshareDownloadUrl, async ({ viewer: { scope }, params, query, at }) =>
      makeBikeshareUrl(await findBikeshareRegion(state, scope, params.region_id), query, publicUrl, at),
    ),
    route(getBikeshareStations, async ({ viewer: { scope }, params, query, at, signal }) =>
      writeBikeshareFile(
        facts,
        { scope, region: await findBikeshareRegion(state, scope, params.region_id), at, signal },
        query,
      ),
    ),
    route(external.getTripsSummary, async ({ viewer: { scope }, params, query, at }) =>
      readTripsSummary(sources, await makeCaller(scope, params.region_id, at), query),
    ),
    route(external.getAverageOperationalVehicles, async ({ viewer: { scope }, params, query, at }) =>
      readAverageOperationalVehicles(sources, await makeCaller(scope, params.region_id, at), query),
    ),
    route(external.getMobilityMetrics, async ({ viewer: { scope }, params, query, at }) =>
      readMobilityMetrics(sources, await makeCaller(scope, params.region_id, at), query),
    ),
    route(mdsMetrics.listMetricsTokens, async ({ viewer, params, at }) => ({
      url: `${publicUrl}/mds/metrics/${params.region_id}/metrics`,
      items: await listMetricsTokens(state, { scope: viewer.scope, regionId: params.region_id, at }),
    })),
    route(mdsMetrics.makeMetricsToken, ({ viewer, params, body, at }) => {
      const context = { scope: viewer.scope, regionId: params.region_id, by: viewer, at }
      return makeMetricsToken(state, context, body, keySettings)
    }),
    route(mdsMetrics.revokeMetricsToken, async ({ viewer, params, at }) => {
      const context = { scope: viewer.scope, regionId: params.region_id, by: viewer, at }
      await revokeMetricsToken(state, context, params.token_id)
      return { revoked: true }
    }),
  ]
}
