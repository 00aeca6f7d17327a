import type * as contract from '#contract/metrics.ts'
import { type MetricRecord, type MetricRecordsQuestion, getRecordKind } from '#contract/metrics.ts'
import type { EndpointOutput } from '#contract/endpoint.ts'
import { daysBetween } from '#contract/period.ts'
import type { Region } from '#contract/regions.ts'
import { Problem } from '#server/http/problem.ts'
import { canSeeSingleTrips, type Viewer } from '#server/http/viewer.ts'
import { ReportReader } from '#server/fleet/reports/read-report-facts.ts'
import { describeReportDays } from '#server/fleet/reports/report-days.ts'
import type { Facts } from '#server/stores/facts.ts'
import { createQuerySignal, getSettledMs } from './query-metrics.ts'

/**
 * Lists the records that a measure counts, newest first. Users who edit policies see single trips and
 * vehicles, and operators see their own (docs/metrics.md, Small numbers).
 * @throws Problem for others.
 */
export async function listMetricRecords(
  facts: Facts,
  { viewer, region, at }: { viewer: Viewer; region: Region; at: Date },
  question: MetricRecordsQuestion,
): Promise<EndpointOutput<typeof contract.listMetricRecords>> {
  if (!canSeeSingleTrips(viewer))
    throw new Problem(
      'forbidden',
      'Individual trips and vehicles are shown only to users who may edit policies.',
    )
  const { scope } = viewer
  const { start_date: firstDay, end_date: lastDay, measure, page, size } = question
  const kind = getRecordKind(measure)
  const reader = new ReportReader(facts, scope, region, createQuerySignal())
  // Open parking events last until the same time as in the measures.
  const now = kind === 'parking_events' ? getSettledMs(at.getTime()) : at.getTime()
  const { rows, total } = await reader.listRecords(
    {
      first: firstDay,
      last: lastDay,
      operators: question.operators,
      vehicleTypes: question.vehicle_types,
      weekdays: question.days,
      hours: question.hour_filters,
    },
    describeReportDays(region, daysBetween(firstDay, lastDay), now),
    { measure, kind, limitMs: question.parking_limit * 60_000 },
    { skip: (page - 1) * size, size },
  )
  return {
    kind,
    page,
    size,
    total,
    items: rows.map((row): MetricRecord => ({
      operator: row.operator,
      vehicle_id: row.vehicle_id,
      vehicle_type: row.kind,
      from_time: new Date(Number(row.from_ms)).toISOString(),
      until_time: Number(row.until_ms) < 0 ? null : new Date(Number(row.until_ms)).toISOString(),
      state: row.state,
      distance_m: row.distance_m,
      duration_s: row.duration_ms === null ? null : row.duration_ms / 1000,
      is_excluded: row.is_excluded === 1,
    })),
  }
}
