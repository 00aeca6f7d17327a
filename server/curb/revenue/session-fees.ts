import { createHash } from 'node:crypto'
import { startOfDay } from '#contract/civil-clock.ts'
import type { SourceKind } from '#contract/cds-events.ts'
import {
  dayFromNumber,
  dayNumber,
  type LocalDay,
  localDay,
  splitByMonth,
  startOfMonth,
} from '#contract/period.ts'
import { ComputedCache } from '#server/stores/computed-cache.ts'
import type { Facts } from '#server/stores/facts.ts'
import { instant } from '#server/stores/instant.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, latest, type Sql, sql } from '#server/stores/sql.ts'
import type { CurbIndex } from '../store/curb-index.ts'
import { chargeAcross } from './charge-across.ts'
import type { PayingAccount } from './curb-accounts.ts'

/** The amount that one rule charges for a stay. */
export interface StayFee {
  sessionId: string
  accountId: string
  zoneId: string
  policyId: string
  /** Index of the rule in the policy. */
  rule: number
  vehicleType: string
  /** Local day on which the stay begins; the entire stay counts on that day. */
  day: LocalDay
  from: number
  until: number
  /** Minor units. */
  amount: number
}

/** Stays of an account that begin in a month and are charged by one rule in one zone. */
export interface StayFeeSum extends Pick<StayFee, 'accountId' | 'zoneId' | 'policyId' | 'rule'> {
  month: LocalDay
  stays: number
  /** Minor units. */
  amount: bigint
}

/** Numbers of stays in a period: all of them, those that are charged, and those that are not, by reason. */
export interface StayCounts {
  /** Stays of accounts with a fee, which may be 0. */
  charged: number
  all: number
  noAccount: number
  noEnd: number
  noRule: number
  noRate: number
  reportedTwice: number
}

/** Counts of the stays in a period, with the fee of each. */
export interface SessionFees extends StayCounts {
  fees: StayFee[]
}

/** Counts of the stays in a period, with sums of their fees. */
export interface SessionFeeSums extends StayCounts {
  sums: StayFeeSum[]
}

interface Row {
  session_id: string
  start_event: string
  start_ms: string
  end_ms: string | null
  zone_id: string
  source_kind: SourceKind
  vehicle: string
  vehicle_type: string
  propulsion: string[]
  purpose: string
}

interface Place {
  scope: Scope
  regionId: string
  timezone: string
}
interface Days {
  start_date: LocalDay
  end_date: LocalDay
}

interface FeeRequest {
  place: Place
  /** Local days on which the stays begin. */
  days: Days
  accounts: readonly PayingAccount[]
  signal?: AbortSignal | undefined
}

/** The query reads all sessions of a period, so it may take longer and use more memory than others. */
const limits = { limits: { seconds: 120, memory: 4 * 2 ** 30 } }
const textArray = (values: readonly string[]): Sql => sql`${bind('Array(String)', values)}`

/** The first and the exclusive last instant of a period, in ms since 1970. */
export const spanOfDays = ({ start_date, end_date }: Days, timezone: string) => ({
  from: startOfDay(start_date, timezone),
  until: startOfDay(dayFromNumber(dayNumber(end_date) + 1), timezone),
})

/**
 * Condition for stays in zones that begin in a span. Paid parking is left out: its vehicles have no account.
 */
const beginsWithin = (regionId: string, { from, until }: { from: number; until: number }): Sql => sql`
  region_id = ${bind('String', regionId)} and type = 'parking' and zone_id != '' and source_kind != 'payment' and start_time is not null
  and from_time >= ${instant(from)} and from_time < ${instant(until)} and not has(problems, 'ends_before_start')`

/** Sources of stays from most to least reliable: reports of the vehicle first, then observations. */
const sourcesByReliability: readonly SourceKind[] = [
  'data_feed',
  'check_in',
  'camera',
  'sensor',
  'survey',
  'other',
  'payment',
]

/** Removes stays that overlap one of the same vehicle in the same zone from a more reliable source. */
function removeDuplicates(rows: readonly Row[]): Row[] {
  const getKey = (row: Row): string => (row.vehicle ? `${row.vehicle} ${row.zone_id}` : row.session_id)
  const rowsByKey = new Map<string, Row[]>()
  for (const row of rows) {
    const sameKey = rowsByKey.get(getKey(row))
    if (sameKey) sameKey.push(row)
    else rowsByKey.set(getKey(row), [row])
  }
  const getRank = ({ source_kind: kind }: Row): number => sourcesByReliability.indexOf(kind)
  const overlap = (a: Row, b: Row): boolean =>
    Number(a.start_ms) < Number(b.end_ms ?? Infinity) && Number(b.start_ms) < Number(a.end_ms ?? Infinity)
  return rows.filter((row) => {
    const candidates = rowsByKey.get(getKey(row)) ?? []
    return !candidates.some((other) => getRank(other) < getRank(row) && overlap(other, row))
  })
}

/**
 * Fees of the stays that begin on the given local days, for the given accounts, by the rates of the rules
 * that allow them. Stays of other accounts count as `noAccount`.
 */
export async function readSessionFees(
  facts: Facts,
  index: CurbIndex,
  { place, days, accounts, signal }: FeeRequest,
): Promise<SessionFees> {
  const { scope, regionId, timezone } = place
  const span = spanOfDays(days, timezone)
  const query = { ...limits, ...(signal ? { signal } : {}) }
  const accountsByOperator = new Map(
    accounts.flatMap(({ accountId, operatorNames }) => operatorNames.map((name) => [name, accountId])),
  )
  const accountsByVehicle = new Map(
    accounts.flatMap(({ accountId, vehicles }) => vehicles.map((hash) => [hash, accountId])),
  )
  const [countRow] = await facts.rows<{ n: string }>(
    scope,
    sql`select toString(count()) as n from ${latest('curb_sessions')} where ${beginsWithin(regionId, span)}`,
    query,
  )
  const all = Number(countRow?.n ?? 0)
  const starts = sql`
    select event_id, operator_name from ${latest('curb_events')}
    where region_id = ${bind('String', regionId)} and event_type = 'park_start' and superseded = 0 and event_time >= ${instant(span.from)} and event_time < ${instant(span.until)}
      and operator_name in ${textArray([...accountsByOperator.keys()])}`
  const operatorsByEvent = new Map(
    accountsByOperator.size
      ? (await facts.rows<{ event_id: string; operator_name: string }>(scope, starts, query)).map((row) => [
          row.event_id,
          row.operator_name,
        ])
      : [],
  )
  const sessions =
    accountsByOperator.size || accountsByVehicle.size
      ? await facts.rows<Row>(
          scope,
          sql`
          select session_id, start_event, toString(toUnixTimestamp64Milli(start_time)) as start_ms, toString(toUnixTimestamp64Milli(end_time)) as end_ms, zone_id, source_kind, vehicle,
            vehicle_type, propulsion, purpose
          from ${latest('curb_sessions')}
          where ${beginsWithin(regionId, span)} and (vehicle in ${textArray([...accountsByVehicle.keys()])} or start_event in (select event_id from (${starts})))
          order by from_time, session_id`,
          query,
        )
      : []
  const rows = removeDuplicates(sessions)
  const result: SessionFees = {
    fees: [],
    charged: 0,
    all,
    noAccount: all - sessions.length,
    noEnd: 0,
    noRule: 0,
    noRate: 0,
    reportedTwice: sessions.length - rows.length,
  }
  for (const row of rows) {
    const operator = operatorsByEvent.get(row.start_event) ?? ''
    const accountId = accountsByOperator.get(operator) ?? accountsByVehicle.get(row.vehicle) ?? ''
    if (row.end_ms === null) {
      result.noEnd++
      continue
    }
    const start = Number(row.start_ms)
    const parts = chargeAcross(index, {
      zoneId: row.zone_id,
      vehicleType: row.vehicle_type,
      propulsion: row.propulsion,
      purpose: row.purpose,
      operator,
      start,
      end: Number(row.end_ms),
    })
    if (!parts.length) result.noRule++
    else if (parts.every(({ amount }) => amount === null)) result.noRate++
    else result.charged++
    const day = localDay(new Date(start), timezone)
    for (const { policyId, rule, from, until, amount } of parts)
      if (amount !== null)
        result.fees.push({
          sessionId: row.session_id,
          accountId,
          zoneId: row.zone_id,
          policyId,
          rule,
          vehicleType: row.vehicle_type,
          day,
          from,
          until,
          amount,
        })
  }
  return result
}

/** Sums fees by month, account, zone and rule. */
export function sumFees(fees: readonly StayFee[]): StayFeeSum[] {
  const sums = new Map<string, StayFeeSum>()
  for (const { accountId, zoneId, policyId, rule, day, amount } of fees) {
    const month = startOfMonth(day)
    const key = JSON.stringify([month, accountId, zoneId, policyId, rule])
    const sum = sums.get(key)
    if (sum) {
      sum.stays++
      sum.amount += BigInt(amount)
    } else sums.set(key, { month, accountId, zoneId, policyId, rule, stays: 1, amount: BigInt(amount) })
  }
  return [...sums.values()]
}

/** Number of sums in the cache over all months. */
const maxCachedSums = 200_000

/**
 * Caches sums of fees by month, the period of invoices. Concurrent calls share the computation of a month,
 * which continues if one of them is aborted.
 */
export class SessionFeeCache extends ComputedCache<SessionFeeSums> {
  constructor() {
    super({ maxSize: maxCachedSums, sizeOf: ({ sums }) => sums.length + 1 })
  }

  /**
   * Sums of fees for a period. A month is computed only once until its sessions, the rules or the accounts
   * change. `changes` contains, for each day with sessions, how often they changed.
   */
  async read(
    facts: Facts,
    index: CurbIndex,
    {
      place,
      days,
      accounts,
      changes,
    }: Omit<FeeRequest, 'signal'> & { changes: ReadonlyMap<LocalDay, bigint> },
  ): Promise<SessionFeeSums> {
    const { regionId, timezone } = place
    const total: SessionFeeSums = {
      sums: [],
      charged: 0,
      all: 0,
      noAccount: 0,
      noEnd: 0,
      noRule: 0,
      noRate: 0,
      reportedTwice: 0,
    }
    for (const { start_date, end_date } of splitByMonth(days)) {
      const period = { start_date, end_date }
      const changesOfMonth = [...changes]
        .filter(([day]) => day >= period.start_date && day <= period.end_date)
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([day, count]) => [day, String(count)])
      // No session ever began in this month.
      if (!changesOfMonth.length) continue
      const key = createHash('sha256')
        .update(JSON.stringify([regionId, index.version, index.timezone, index.currency]))
        .update(JSON.stringify([period, timezone, accounts, changesOfMonth]))
        .digest('hex')
      const { sums, ...counts } = await this.get(key, async () => {
        const { fees, ...monthCounts } = await readSessionFees(facts, index, {
          place,
          days: period,
          accounts,
        })
        return { sums: sumFees(fees), ...monthCounts }
      })
      for (const sum of sums) total.sums.push(sum)
      for (const name of Object.keys(counts) as (keyof StayCounts)[]) total[name] += counts[name]
    }
    return total
  }
}

/** The label of a zone, or its id if it is unknown. */
export const zoneName = (index: CurbIndex, zoneId: string): string => index.zoneById(zoneId)?.label ?? zoneId

/** The name of a rule of a policy, or else the name of the policy, or else its id. */
export function policyName(index: CurbIndex, policyId: string, rule = 0): string {
  const policy = index.policies.get(policyId)
  const name = policy?.rules[rule]?.name ?? policy?.['name']
  return typeof name === 'string' && name ? name : policyId
}
