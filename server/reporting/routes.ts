import {
  listMetricRecords as listMetricRecordsEndpoint,
  queryDistribution as queryDistributionEndpoint,
  queryMetrics as queryMetricsEndpoint,
} from '#contract/metrics.ts'
import { type Route, route } from '#server/http/route.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { ReportFacts } from '#server/mobility/reports/report-facts-product.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { State } from '#server/stores/state.ts'
import { listMetricRecords } from './list-metric-records.ts'
import { DistributionCache, queryDistribution } from './query-distribution.ts'
import { MetricsCache, queryMetrics } from './query-metrics.ts'

/** The endpoints of reports. */
export function reportingRoutes(state: State, facts: Facts, reports: ReportFacts): Route[] {
  const answers = new MetricsCache()
  const distributions = new DistributionCache()
  return [
    route(queryMetricsEndpoint, async ({ viewer: { scope }, params, body, at }) =>
      queryMetrics(
        { facts, reports, answers },
        { scope, region: await findRegion(state, scope, params.region_id), at },
        body,
      ),
    ),
    route(queryDistributionEndpoint, async ({ viewer: { scope }, params, body }) =>
      queryDistribution(
        { facts, reports, answers: distributions },
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
  ]
}
