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

/** What one rule charges of one stay. */
export interface StayFee {
  sessionId: string
  accountId: string
  zoneId: string
  policyId: string
  rule: number
  vehicleType: string
  /** Local day on which the stay begins: it counts there, whole. */
  day: LocalDay
  from: number
  until: number
  /** Minor units. */
  amount: number
}

/** Stays of an account that begin in a month, under one rule of a zone. */
export interface StayFeeSum extends Pick<StayFee, 'accountId' | 'zoneId' | 'policyId' | 'rule'> {
  month: LocalDay
  stays: number
  /** Minor units. */
  amount: bigint
}

/** How many stays of a period are charged, and how many are not. */
export interface StayCounts {
  /** Stays of accounts that are charged, also with 0. */
  charged: number
  all: number
  noAccount: number
  noEnd: number
  noRule: number
  noRate: number
  reportedTwice: number
}

/** The stays of a period with what is charged. */
export interface SessionFees extends StayCounts {
  fees: StayFee[]
}

/** The stays of a period with sums of what is charged. */
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

const limits = { limits: { seconds: 120, memory: 4 * 2 ** 30 } }
const texts = (values: readonly string[]): Sql => sql`${bind('Array(String)', values)}`

/** When a period begins and ends, ms. */
export const spanOfDays = ({ start_date, end_date }: Days, timezone: string) => ({
  from: startOfDay(start_date, timezone),
  until: startOfDay(dayFromNumber(dayNumber(end_date) + 1), timezone),
})

/** Stays in zones that begin in a span. What was paid for at a meter is no stay of an account. */
const staysIn = (regionId: string, { from, until }: { from: number; until: number }): Sql => sql`
  region_id = ${bind('String', regionId)} and type = 'parking' and zone_id != '' and source_kind != 'payment' and start_time is not null
  and from_time >= ${instant(from)} and from_time < ${instant(until)} and not has(problems, 'ends_before_start')`

/** Who reports a stay best, if several do: the vehicle itself, then what sees it. */
const bestFirst: readonly SourceKind[] = [
  'data_feed',
  'check_in',
  'camera',
  'sensor',
  'survey',
  'other',
  'payment',
]

/** Stays without those that another source reports of the same vehicle, zone and time. `rows` are in the order of their start. */
function withoutRepeated(rows: readonly Row[]): Row[] {
  const byPlace = new Map<string, Row[]>()
  for (const row of rows) {
    const key = row.vehicle ? `${row.vehicle} ${row.zone_id}` : row.session_id
    const own = byPlace.get(key)
    if (own) own.push(row)
    else byPlace.set(key, [row])
  }
  const rankOf = ({ source_kind: kind }: Row): number => bestFirst.indexOf(kind)
  const isOver = (a: Row, b: Row): boolean =>
    Number(a.start_ms) < Number(b.end_ms ?? Infinity) && Number(b.start_ms) < Number(a.end_ms ?? Infinity)
  return rows.filter((row) => {
    const others = byPlace.get(row.vehicle ? `${row.vehicle} ${row.zone_id}` : row.session_id) ?? []
    return !others.some((other) => rankOf(other) < rankOf(row) && isOver(other, row))
  })
}

/**
 * What the stays of accounts cost that begin on some local days, by the rates of the rules of their zones. `only`: of these accounts; the
 * others then count as none.
 */
export async function readSessionFees(
  facts: Facts,
  index: CurbIndex,
  { scope, regionId, timezone }: Place,
  days: Days,
  accounts: readonly PayingAccount[],
  signal?: AbortSignal,
): Promise<SessionFees> {
  const span = spanOfDays(days, timezone)
  const query = { ...limits, ...(signal ? { signal } : {}) }
  const names = new Map(
    accounts.flatMap(({ accountId, operatorNames }) => operatorNames.map((name) => [name, accountId])),
  )
  const hashes = new Map(
    accounts.flatMap(({ accountId, vehicles }) => vehicles.map((hash) => [hash, accountId])),
  )
  const [counted] = await facts.rows<{ n: string }>(
    scope,
    sql`select toString(count()) as n from ${latest('curb_sessions')} where ${staysIn(regionId, span)}`,
    query,
  )
  const all = Number(counted?.n ?? 0)
  const starts = sql`
    select event_id, operator_name from ${latest('curb_events')}
    where region_id = ${bind('String', regionId)} and event_type = 'park_start' and superseded = 0 and event_time >= ${instant(span.from)} and event_time < ${instant(span.until)}
      and operator_name in ${texts([...names.keys()])}`
  const operators = new Map(
    names.size
      ? (await facts.rows<{ event_id: string; operator_name: string }>(scope, starts, query)).map((row) => [
          row.event_id,
          row.operator_name,
        ])
      : [],
  )
  const found =
    names.size || hashes.size
      ? await facts.rows<Row>(
          scope,
          sql`
          select session_id, start_event, toString(toUnixTimestamp64Milli(start_time)) as start_ms, toString(toUnixTimestamp64Milli(end_time)) as end_ms, zone_id, source_kind, vehicle,
            vehicle_type, propulsion, purpose
          from ${latest('curb_sessions')}
          where ${staysIn(regionId, span)} and (vehicle in ${texts([...hashes.keys()])} or start_event in (select event_id from (${starts})))
          order by from_time, session_id`,
          query,
        )
      : []
  const rows = withoutRepeated(found)
  const sums: SessionFees = {
    fees: [],
    charged: 0,
    all,
    noAccount: all - found.length,
    noEnd: 0,
    noRule: 0,
    noRate: 0,
    reportedTwice: found.length - rows.length,
  }
  for (const row of rows) {
    const operator = operators.get(row.start_event) ?? ''
    const accountId = names.get(operator) ?? hashes.get(row.vehicle) ?? ''
    if (row.end_ms === null) {
      sums.noEnd++
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
    if (!parts.length) sums.noRule++
    else if (parts.every(({ amount }) => amount === null)) sums.noRate++
    else sums.charged++
    const day = localDay(new Date(start), timezone)
    for (const { policyId, rule, from, until, amount } of parts)
      if (amount !== null)
        sums.fees.push({
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
  return sums
}

/** Fees by month, account and rule of a zone. */
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

/** Sums in memory, of all months together. */
const maxCachedSums = 200_000

/** Sums of fees by month, as invoices are. Calls with a common month share its computation, which none of them ends. */
export class SessionFeeCache extends ComputedCache<SessionFeeSums> {
  constructor() {
    super({ maxSize: maxCachedSums, sizeOf: ({ sums }) => sums.length + 1 })
  }

  /** Each month is computed once as long as its sessions, the rules and the accounts are the same. `changes`: how often the sessions of each day changed. */
  async read(
    facts: Facts,
    index: CurbIndex,
    place: Place,
    days: Days,
    accounts: readonly PayingAccount[],
    changes: ReadonlyMap<LocalDay, bigint>,
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
      const changed = [...changes]
        .filter(([day]) => day >= period.start_date && day <= period.end_date)
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([day, count]) => [day, String(count)])
      // No session ever began then.
      if (!changed.length) continue
      const key = createHash('sha256')
        .update(JSON.stringify([regionId, index.version, index.zone, index.currency]))
        .update(JSON.stringify([period, timezone, accounts, changed]))
        .digest('hex')
      const { sums, ...counts } = await this.get(key, async () => {
        const { fees, ...counted } = await readSessionFees(facts, index, place, period, accounts)
        return { sums: sumFees(fees), ...counted }
      })
      for (const sum of sums) total.sums.push(sum)
      for (const name of Object.keys(counts) as (keyof StayCounts)[]) total[name] += counts[name]
    }
    return total
  }
}

export const zoneName = (index: CurbIndex, zoneId: string): string => index.zoneById(zoneId)?.label ?? zoneId

/** The name of a policy: that of its rule, or of the policy. */
export function policyName(index: CurbIndex, policyId: string, rule = 0): string {
  const policy = index.policies.get(policyId)
  const name = policy?.rules[rule]?.name ?? policy?.['name']
  return typeof name === 'string' && name ? name : policyId
}
