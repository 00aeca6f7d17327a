import { type HourRange, type LocalDay, addDays } from '#contract/period.ts'
import type { DistributedValue, MetricDimension } from '#contract/metrics.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { ReportDays } from './queries/report-facts.ts'
import {
  recordCountSql,
  type RecordRow,
  type RecordsQuestion,
  recordsPageSql,
} from './queries/report-records.ts'
import {
  binCountsSql,
  type BinRow,
  distributionStatisticsSql,
  type DistributionRow,
  parkingSumsSql,
  type ParkingSums,
} from './queries/report-distributions.ts'
import { isHourly, type ReportQuestion } from './queries/report-question.ts'
import {
  firstReportDaySql,
  largestReportHourSql,
  newestFactWithinSql,
  newestReportHourSql,
  type ReportDaySums,
  reportDaySumsSql,
  type ReportFleet,
  reportFleetSql,
  type ReportRecords,
  reportRecordsSql,
  type ReportSums,
  reportSumsSql,
  type TripSum,
} from './queries/report-sums.ts'

export type { BinRow, DistributionRow, ParkingSums, ReportDaySums, ReportFleet, ReportSums, TripSum }
export { isHourly }

/** Selects facts of reports. */
export interface ReportSelection {
  /** Local days, both included. */
  first: LocalDay
  last: LocalDay
  /** Empty: all. */
  operators: readonly string[]
  vehicleTypes: readonly string[]
  /** ISO weekdays. */
  weekdays: readonly number[]
  hours: Readonly<HourRange>
}

const limits = { seconds: 60, memory: 4 * 2 ** 30 }

/** Reads the facts of reports in one region. */
export class ReportReader {
  readonly #facts: Facts
  readonly #scope: Scope
  readonly #region: { regionId: string; timezone: string }
  readonly #signal: AbortSignal

  constructor(
    facts: Facts,
    scope: Scope,
    region: { regionId: string; timezone: string },
    signal: AbortSignal,
  ) {
    this.#facts = facts
    this.#scope = scope
    this.#region = region
    this.#signal = signal
  }

  /** Reads sums by group. Only the `needed` sums of distances and durations are computed. */
  readSums(
    selection: ReportSelection,
    dimensions: readonly MetricDimension[],
    needed: ReadonlySet<TripSum>,
  ): Promise<ReportSums[]> {
    return this.#rows(reportSumsSql(this.#question(selection, dimensions), needed))
  }

  readDaySums(selection: ReportSelection, dimensions: readonly MetricDimension[]): Promise<ReportDaySums[]> {
    return this.#rows(reportDaySumsSql(this.#question(selection, dimensions)))
  }

  /** Reads the largest hourly average of the fleet by group. `asOf`: until when facts are derived, ms. */
  readLargestHour(
    selection: ReportSelection,
    dimensions: readonly MetricDimension[],
    asOf: number,
  ): Promise<{ keys: string[]; value: number }[]> {
    return this.#rows(largestReportHourSql(this.#question(selection, dimensions), asOf))
  }

  readFleet(selection: ReportSelection, dimensions: readonly MetricDimension[]): Promise<ReportFleet[]> {
    return this.#rows(reportFleetSql(this.#question(selection, dimensions)))
  }

  /** Reads the durations of parking events by group. Open events last until `now` (ms). */
  readParking(
    selection: ReportSelection,
    dimensions: readonly MetricDimension[],
    durations: { limitMs: number; now: number; median: boolean },
  ): Promise<ParkingSums[]> {
    return this.#rows(parkingSumsSql(this.#question(selection, dimensions), durations))
  }

  /** Reads statistics by group, and counts by bin. Values of trips are mm, ms, m/s; of parking ms. */
  readDistribution(
    selection: ReportSelection,
    dimensions: readonly MetricDimension[],
    distribution: { value: DistributedValue; bins: readonly number[]; now: number },
  ): Promise<[DistributionRow[], BinRow[]]> {
    const question = this.#question(selection, dimensions)
    return Promise.all([
      this.#rows<DistributionRow>(distributionStatisticsSql(question, distribution.value, distribution.now)),
      this.#rows<BinRow>(binCountsSql(question, distribution)),
    ])
  }

  /** Returns a page of the records that a measure counts, and their total number. */
  async listRecords(
    selection: ReportSelection,
    days: ReportDays,
    records: Pick<RecordsQuestion, 'measure' | 'kind' | 'limitMs'>,
    page: { skip: number; size: number },
  ): Promise<{ rows: RecordRow[]; total: number }> {
    const question = { ...this.#question(selection, []), ...records, days }
    const [rows, [count]] = await Promise.all([
      this.#rows<RecordRow>(recordsPageSql(question, page)),
      this.#rows<{ total: string }>(recordCountSql(question)),
    ])
    return { rows, total: Number(count?.total ?? 0) }
  }

  /** Counts records of feeds by operator, day and local hour, starting `weeks` before the selection. */
  async countRecordsByHour(
    selection: ReportSelection,
    weeks: number,
  ): Promise<Map<string, Map<LocalDay, number[]>>> {
    const first = addDays(selection.first, -7 * weeks)
    const rows = await this.#rows<ReportRecords>(
      reportRecordsSql(this.#question({ ...selection, first }, [])),
    )
    const byOperator = new Map<string, Map<LocalDay, number[]>>()
    for (const { operator, on_day: day, hours, numbers } of rows) {
      let byDay = byOperator.get(operator)
      if (!byDay) byOperator.set(operator, (byDay = new Map()))
      const counts = Array.from({ length: 24 }, () => 0)
      for (const [index, hour] of hours.entries()) counts[hour] = Number(numbers[index])
      byDay.set(day, counts)
    }
    return byOperator
  }

  /** Finds the time of the newest fact of a selection, ISO 8601; null without facts. */
  async findNewestFactTime(selection: ReportSelection): Promise<string | null> {
    const question = this.#question(selection, [])
    const [hourRow] = await this.#rows<{ hour: string }>(newestReportHourSql(question))
    const hour = Number(hourRow?.hour ?? 0) * 1000
    if (!hour) return null
    const [factRow] = await this.#rows<{ newest: string }>(newestFactWithinSql(question, hour))
    return new Date(Number(factRow?.newest) || hour).toISOString()
  }

  /** Finds the first day with facts of some operators, or of all if none are named; null without facts. */
  async findFirstDay(operators: readonly string[]): Promise<LocalDay | null> {
    const { regionId } = this.#region
    const [row] = await this.#rows<{ first_day: LocalDay }>(firstReportDaySql({ regionId, operators }))
    return row?.first_day ?? null
  }

  #question(selection: ReportSelection, dimensions: readonly MetricDimension[]): ReportQuestion {
    const { regionId, timezone } = this.#region
    return { ...selection, regionId, timezone, dimensions }
  }

  #rows<Row>(query: ReturnType<typeof reportSumsSql>): Promise<Row[]> {
    return this.#facts.rows<Row>(this.#scope, query, { limits, signal: this.#signal })
  }
}
