import type { LocalDay } from '#contract/period.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, latest, type Sql, sql } from '#server/stores/sql.ts'
import { feeQueryOptions } from './fact-question.ts'
import type { FeeDaySum } from './fee-revision.ts'
import { type FeePeriod, type PeriodSum, sumDays } from './fee-lines.ts'

/** Sums of facts by policy and price, as a query returns them. */
export interface PriceSumRow {
  policy_id: string
  operator: string
  vehicle_type: string
  charge: string
  unit: string
  price: string
  denominator: string
  numerator: string
  facts: string
  first: LocalDay
  last: LocalDay
}

interface SumRow extends PriceSumRow {
  open: string
  grain: LocalDay
  version: string
}

export interface StoredSum extends PeriodSum {
  /** First day of the month, the day, or the first day of the period, as requested. */
  grain: LocalDay
}

type Grain = 'month' | 'day' | 'period'

interface SumQuestion {
  regionId: string
  period: FeePeriod
  /** Whether to sum by month, by day, or over the period. */
  by: Grain
  /** By default all operators. */
  operator?: string
}

/** Converts a row of sums. @param open The number of its parking events that have not ended. */
export const toPeriodSum = (row: PriceSumRow, open: number): PeriodSum => ({
  policyId: row.policy_id,
  operator: row.operator,
  vehicleType: row.vehicle_type,
  charge: row.charge,
  unit: row.unit,
  price: row.price,
  denominator: BigInt(row.denominator),
  numerator: BigInt(row.numerator),
  facts: Number(row.facts),
  open,
  first: row.first,
  last: row.last,
})

/** Reads stored fees, summed. `asOf`: when the newest of them was derived; null if there are none. */
export async function readSums(
  { facts, scope }: { facts: Facts; scope: Scope },
  { regionId, period: { start_date: firstDay, end_date: lastDay }, by, operator }: SumQuestion,
): Promise<{ sums: StoredSum[]; asOf: string | null }> {
  const grainColumns: Record<Grain, Sql> = {
    month: sql`toStartOfMonth(day)`,
    day: sql`day`,
    period: sql`${bind('Date', firstDay)}`,
  }
  const rows = await facts.rows<SumRow>(
    scope,
    sql`
    with
      -- renamed, because the sums below have the names of the columns
      fee_rows as (
        select
          *,
          ${grainColumns[by]} as row_grain,
          facts as row_facts,
          open as row_open
        from ${latest('fee_days')}
        where region_id = ${bind('String', regionId)}
          and day between ${bind('Date', firstDay)} and ${bind('Date', lastDay)}
          and ${operator === undefined ? sql`true` : operatorCondition(operator)}
      )
    select
      toString(policy_id) as policy_id,
      operator,
      vehicle_type,
      charge,
      unit,
      price,
      toString(denominator) as denominator,
      toString(sum(toInt128(numerator))) as numerator,
      toString(sum(row_facts)) as facts,
      toString(sum(row_open)) as open,
      toString(min(day)) as first,
      toString(max(day)) as last,
      toString(row_grain) as grain,
      toString(max(version)) as version
    from fee_rows
    group by policy_id, operator, vehicle_type, charge, unit, price, denominator, row_grain`,
    feeQueryOptions,
  )
  // Versions are microseconds since 1970.
  const version = rows.reduce(
    (newest, row) => (BigInt(row.version) > newest ? BigInt(row.version) : newest),
    0n,
  )
  return {
    sums: rows.map((row) => ({ ...toPeriodSum(row, Number(row.open)), grain: row.grain })),
    asOf: version ? new Date(Number(version / 1000n)).toISOString() : null,
  }
}

/** Builds the SQL condition that limits rows to an operator. */
export const operatorCondition = (operator: string): Sql => sql`operator = ${bind('String', operator)}`

/** Adds up sums of the same policy and price. */
export function mergeSums(sums: readonly StoredSum[]): PeriodSum[] {
  const sumsByPolicy = new Map<string, FeeDaySum[]>()
  for (const { policyId, grain, ...sum } of sums) {
    const policySums = sumsByPolicy.get(policyId) ?? []
    policySums.push({ ...sum, day: grain })
    sumsByPolicy.set(policyId, policySums)
  }
  return [...sumsByPolicy].flatMap(([policyId, policySums]) => sumDays(policyId, policySums))
}
