import { DistributionQuestion, measureKeys, MetricsQuestion } from '#contract/metrics.ts'
import { Derivation } from '#server/derived/derivation.ts'
import { ReportFacts } from '#server/fleet/reports/report-facts-product.ts'
import { findRegion } from '#server/regions/read-region.ts'
import { DistributionCache, queryDistribution } from '#server/reporting/query-distribution.ts'
import { MetricsCache, queryMetrics } from '#server/reporting/query-metrics.ts'
import { storeTrips } from './exports.ts'
import type { Bench } from './open-bench.ts'
import { type Report, measureMs, measureRuns } from './table.ts'

const days = 364
const runs = 5
const year = { start_date: '2026-01-01', end_date: '2026-12-31' }
const month = { start_date: '2026-06-01', end_date: '2026-06-30' }

/** Queries of report pages. */
const queries: Record<string, object> = {
  'trips of a year by month, operator and vehicle type': {
    ...year,
    measures: ['trips'],
    dimensions: ['month', 'operator', 'vehicle_type'],
  },
  'exact median distance of a year': { ...year, measures: ['distance_median'] },
  'trips of a year by day and operator': { ...year, measures: ['trips'], dimensions: ['day', 'operator'] },
  'all measures of a month by operator': { ...month, measures: measureKeys, dimensions: ['operator'] },
  'all measures of a year by operator': { ...year, measures: measureKeys, dimensions: ['operator'] },
}

/** Measures reports over a year of trips: deriving their facts, and queries of the pages, cold and cached. */
export async function benchReports(bench: Bench, millions: readonly number[], report: Report): Promise<void> {
  const { app, scope, regionId } = bench
  const { state, facts } = app
  let stored = 0
  for (const size of millions) {
    // Every stored trip has a new id, so only the missing ones are added.
    await storeTrips(bench, (size - stored) * 1_000_000, days)
    stored = size
    const now = (): number => Date.UTC(2027, 0, 10)
    const reports = new ReportFacts({ state, facts, nowMs: now })
    const derivation = new Derivation({ state, log: () => undefined, nowMs: now })
    derivation.add(reports.product())
    await state.as(scope).deleteFrom('report_region').where('region_id', '=', regionId).execute()
    const label = (what: string): string => `${what}, ${stored} M trips`
    report.add(label('deriving report days'), 's', [
      (await measureMs(() => derivation.idle(['report_days']))) / 1000,
    ])
    const region = await findRegion(state, scope, regionId)
    const at = new Date(now())
    const warmCache = new MetricsCache()
    for (const [what, question] of Object.entries(queries)) {
      const parsed = MetricsQuestion.parse(question)
      const query = (cache: MetricsCache) =>
        queryMetrics({ facts, reports, cache }, { scope, region, at }, parsed)
      report.add(label(what), 'ms', await measureRuns(runs, () => query(new MetricsCache())))
      await query(warmCache)
      report.add(label(`${what}, cached`), 'ms', await measureRuns(runs, () => query(warmCache)))
    }
    const distribution = DistributionQuestion.parse({
      ...year,
      value: 'trip_distance',
      bins: Array.from({ length: 20 }, (_, bin) => bin * 500),
      group_by: 'operator',
    })
    report.add(
      label('distances of a year by operator as a histogram'),
      'ms',
      await measureRuns(runs, () =>
        queryDistribution(
          { facts, reports, cache: new DistributionCache() },
          { scope, region },
          distribution,
        ),
      ),
    )
    report.add(label('ten queries at once'), 'ms', [
      await measureMs(() =>
        Promise.all(
          [...Object.values(queries), ...Object.values(queries)].map((question, index) =>
            queryMetrics(
              { facts, reports, cache: new MetricsCache() },
              { scope, region, at },
              MetricsQuestion.parse({ ...question, hour_filters: [0, index < 5 ? 23 : 22] }),
            ),
          ),
        ),
      ),
    ])
  }
}
