import { startOfDay, endOfDay } from '#contract/civil-clock.ts'
import { dayNumber, type LocalDay } from '#contract/period.ts'
import type { DerivedRegion } from '#server/derived/derived-product.ts'
import { markDirty } from '#server/derived/dirty-spans.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, identifier, joinSql, latest, type Sql, sql } from '#server/stores/sql.ts'
import type { State } from '#server/stores/state.ts'
import { hourShift } from '../cubes/cube-clock.ts'
import { listOperatingPeriods } from '../fleet-size/operating-periods.ts'
import {
  type ReportDays,
  reportFleetColumns,
  reportHourColumns,
  reportHourRows,
} from './queries/report-facts.ts'
import { reportFleetRows } from './queries/report-fleet-days.ts'

/** Name of the derived product of the facts of reports. Its spans are local days. */
export const reportDays = 'report_days'

/** Increased when the method of derivation changes, so that all days are derived again. */
const methodVersion = 1

/** Marks local days with changed trips, vehicles or parking events as dirty. */
export const markReportDaysDirty = (
  state: Pick<State, 'as'>,
  scope: Scope,
  { regionId, days, at }: { regionId: string; days: readonly LocalDay[]; at: Date },
): Promise<void> => markDirty(state, scope, { product: reportDays, regionId }, { spans: days, time: at })

/** A region and the settings that its reports depend on. */
export interface ReportRegion {
  regionId: string
  scope: Scope
  timezone: string
  lostAfterHours: number
  operatingHours: { from: string; until: string }
}

/** Returns the method version and settings that all days depend on. */
export const getBasis = ({
  timezone,
  lostAfterHours,
  operatingHours: { from, until },
}: ReportRegion): string => `${methodVersion} ${timezone} ${lostAfterHours} ${from} ${until}`

/** Describes successive local days, up to `now` (ms), for the queries that derive their facts. */
export function describeReportDays(
  region: Omit<ReportRegion, 'scope'>,
  days: readonly LocalDay[],
  now: number,
): ReportDays {
  const { regionId, timezone, lostAfterHours, operatingHours } = region
  return {
    regionId,
    timezone,
    lostAfterHours,
    shift: hourShift(timezone),
    days: days.map((day) => {
      const from = startOfDay(day, timezone)
      const until = Math.max(from, Math.min(endOfDay(day, timezone), now))
      const operating = listOperatingPeriods({
        from,
        until,
        timezone,
        operatingFrom: operatingHours.from,
        operatingUntil: operatingHours.until,
      })
      return { day, from, until, operating }
    }),
  }
}

/** Groups days into runs of at most `maxLength` successive days. */
export function groupSuccessiveDays(days: readonly LocalDay[], maxLength: number): LocalDay[][] {
  const runs: LocalDay[][] = []
  for (const day of [...new Set(days)].toSorted()) {
    const run = runs.at(-1)
    const previousDay = run?.at(-1)
    const isNextDay = previousDay !== undefined && dayNumber(day) === dayNumber(previousDay) + 1
    if (run && isNextDay && run.length < maxLength) run.push(day)
    else runs.push([day])
  }
  return runs
}

/** Maximum number of days that one statement derives. */
export const maxDaysPerStatement = 31
/** 10 minutes and 4 GiB. `areDistinct`: the rows have distinct keys. */
const queryOptions = { limits: { seconds: 600, memory: 4 * 2 ** 30 }, areDistinct: true }

const tables = [
  { table: 'report_hours', columns: reportHourColumns, selectRows: reportHourRows },
  { table: 'report_fleet_days', columns: reportFleetColumns, selectRows: reportFleetRows },
] as const

/** Builds SQL for rows that delete stored rows of the days which the current version did not write. */
function deletionRows(
  { table, columns }: (typeof tables)[number],
  { regionId, days }: ReportDays,
  version: bigint,
): Sql {
  const currentVersion = sql`${bind('UInt64', String(version))}`
  const changedColumns: Readonly<Record<string, Sql>> = {
    is_deleted: sql`toUInt8(1)`,
    version: currentVersion,
  }
  const values = columns.map((name) => changedColumns[name] ?? identifier(name))
  return sql`
    select ${joinSql(values, ', ')}
    from ${latest(table)}
    where
      region_id = ${bind('String', regionId)}
      and day >= ${bind('Date', days[0]?.day)}
      and day <= ${bind('Date', days.at(-1)?.day)}
      and version < ${currentVersion}`
}

/** Derives days and stores their rows: inserts new rows first, then withdraws obsolete ones. */
export async function storeDays(
  facts: Facts,
  scope: Scope,
  query: ReportDays,
  version: bigint,
): Promise<void> {
  for (const target of tables) {
    await facts.add(scope, target.table, {
      columns: target.columns,
      rows: sql`
        select ${bind('String', query.regionId)}, *, toUInt8(0), ${bind('UInt64', String(version))}
        from (${target.selectRows(query)})`,
      ...queryOptions,
    })
    await facts.add(scope, target.table, {
      columns: target.columns,
      rows: deletionRows(target, query, version),
      ...queryOptions,
    })
  }
}

/** Reads the settings of a region that its reports depend on. */
export async function readReportRegion(
  state: Pick<State, 'as'>,
  { regionId, scope, timezone, lostAfterHours }: DerivedRegion,
): Promise<ReportRegion> {
  const row = await state
    .as(scope)
    .selectFrom('region')
    .select(['operating_from', 'operating_until'])
    .where('region_id', '=', regionId)
    .executeTakeFirstOrThrow()
  return {
    regionId,
    scope,
    timezone,
    lostAfterHours,
    operatingHours: { from: row.operating_from, until: row.operating_until },
  }
}
