import { startOfDay, endOfDay } from '#contract/civil-clock.ts'
import type { SourceKind } from '#contract/cds-events.ts'
import { groupBy } from '#contract/group-by.ts'
import { type LocalDay, localDay } from '#contract/period.ts'
import type { Facts } from '#server/stores/facts.ts'
import { toDateTime } from '#server/stores/date-time.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, latest, type Sql, sql } from '#server/stores/sql.ts'
import type { CurbIndex } from '../store/curb-index.ts'
import { chargeAcross, type ChargedStay, type StayCharge } from './charge-across.ts'
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
  /** The time that the rule allows, in ms since 1970; the end is exclusive. */
  from: number
  until: number
  /** Minor units. */
  amount: number
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

/** A parking session of `curb_sessions`. */
interface StayRow {
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

export interface ScopedRegion {
  scope: Scope
  regionId: string
  timezone: string
}
/** Local days from the first to the last. */
export interface LocalDays {
  start_date: LocalDay
  end_date: LocalDay
}

export interface FeeRequest {
  place: ScopedRegion
  /** Local days on which the stays begin. */
  days: LocalDays
  accounts: readonly PayingAccount[]
  signal?: AbortSignal | undefined
}

/** Queries read all sessions of a period, so they may take longer (seconds) and use more memory (bytes). */
const limits = { seconds: 120, memory: 4 * 2 ** 30 }
const getQueryOptions = ({ signal }: FeeRequest) => ({ limits, ...(signal ? { signal } : {}) })
const bindTexts = (values: readonly string[]): Sql => sql`${bind('Array(String)', values)}`

/** Returns the first and the exclusive last instant of a period, in ms since 1970. */
export const getSpanOfDays = ({ start_date, end_date }: LocalDays, timezone: string) => ({
  from: startOfDay(start_date, timezone),
  until: endOfDay(end_date, timezone),
})

/** Reads the fees of stays that begin on the local days. Stays of other accounts are `noAccount`. */
export async function readSessionFees(
  facts: Facts,
  index: CurbIndex,
  request: FeeRequest,
): Promise<SessionFees> {
  const accountsByOperator = new Map(
    request.accounts.flatMap(({ accountId, operatorNames }) =>
      operatorNames.map((name) => [name, accountId]),
    ),
  )
  const accountsByVehicle = new Map(
    request.accounts.flatMap(({ accountId, vehicles }) => vehicles.map((hash) => [hash, accountId])),
  )
  const operators = [...accountsByOperator.keys()]
  const vehicles = [...accountsByVehicle.keys()]
  const totalCount = await countStays(facts, request)
  const operatorsByEvent = await readOperatorsByEvent(facts, request, operators)
  const stays = await readStays(facts, request, { operators, vehicles })
  const distinctStays = removeDuplicates(stays)
  const result: SessionFees = {
    fees: [],
    charged: 0,
    all: totalCount,
    noAccount: totalCount - stays.length,
    noEnd: 0,
    noRule: 0,
    noRate: 0,
    reportedTwice: stays.length - distinctStays.length,
  }
  for (const stay of distinctStays) {
    if (stay.end_ms === null) {
      result.noEnd++
      continue
    }
    const operator = operatorsByEvent.get(stay.start_event) ?? ''
    const charges = chargeAcross(index, toChargedStay(stay, Number(stay.end_ms), operator))
    if (!charges.length) result.noRule++
    else if (charges.every(({ amount }) => amount === null)) result.noRate++
    else result.charged++
    const accountId = accountsByOperator.get(operator) ?? accountsByVehicle.get(stay.vehicle) ?? ''
    const day = localDay(new Date(Number(stay.start_ms)), request.place.timezone)
    result.fees.push(...toFees(stay, charges, { accountId, day }))
  }
  return result
}

const toChargedStay = (stay: StayRow, end: number, operator: string): ChargedStay => ({
  zoneId: stay.zone_id,
  vehicleType: stay.vehicle_type,
  propulsion: stay.propulsion,
  purpose: stay.purpose,
  operator,
  start: Number(stay.start_ms),
  end,
})

/** Returns the fees of a stay: one for each rule with rates. */
const toFees = (
  stay: StayRow,
  charges: readonly StayCharge[],
  { accountId, day }: Pick<StayFee, 'accountId' | 'day'>,
): StayFee[] =>
  charges.flatMap(({ policyId, rule, from, until, amount }) =>
    amount === null
      ? []
      : {
          sessionId: stay.session_id,
          accountId,
          zoneId: stay.zone_id,
          policyId,
          rule,
          vehicleType: stay.vehicle_type,
          day,
          from,
          until,
          amount,
        },
  )

/** Returns the number of stays of all accounts and of none. */
async function countStays(facts: Facts, request: FeeRequest): Promise<number> {
  const [row] = await facts.rows<{ stay_count: string }>(
    request.place.scope,
    sql`
    select toString(count()) as stay_count
    from ${latest('curb_sessions')}
    where ${beginsInPeriodCondition(request)}`,
    getQueryOptions(request),
  )
  return Number(row?.stay_count ?? 0)
}

/** Reads the operators that reported the starts of stays, by the id of the event. */
async function readOperatorsByEvent(
  facts: Facts,
  request: FeeRequest,
  operators: readonly string[],
): Promise<Map<string, string>> {
  if (!operators.length) return new Map()
  const rows = await facts.rows<{ event_id: string; operator_name: string }>(
    request.place.scope,
    operatorStartsSql(request, operators),
    getQueryOptions(request),
  )
  return new Map(rows.map((row) => [row.event_id, row.operator_name]))
}

/** Reads the stays that operators reported, or of vehicles with these hashes. */
async function readStays(
  facts: Facts,
  request: FeeRequest,
  { operators, vehicles }: { operators: readonly string[]; vehicles: readonly string[] },
): Promise<StayRow[]> {
  if (!operators.length && !vehicles.length) return []
  return facts.rows<StayRow>(
    request.place.scope,
    sql`
    select
      session_id,
      start_event,
      toString(toUnixTimestamp64Milli(start_time)) as start_ms,
      toString(toUnixTimestamp64Milli(end_time)) as end_ms,
      zone_id,
      source_kind,
      vehicle,
      vehicle_type,
      propulsion,
      purpose
    from ${latest('curb_sessions')}
    where ${beginsInPeriodCondition(request)}
      and (
        vehicle in ${bindTexts(vehicles)}
        or start_event in (select event_id from (${operatorStartsSql(request, operators)}))
      )
    order by from_time, session_id`,
    getQueryOptions(request),
  )
}

/** Builds the condition for stays in zones that begin in the period. Paid parking has no accounts. */
const beginsInPeriodCondition = ({ place: { regionId, timezone }, days }: FeeRequest): Sql => {
  const { from, until } = getSpanOfDays(days, timezone)
  return sql`
    region_id = ${bind('String', regionId)}
      and type = 'parking'
      and zone_id != ''
      and source_kind != 'payment'
      and start_time is not null
      and from_time >= ${toDateTime(from)}
      and from_time < ${toDateTime(until)}
      and not has(problems, 'ends_before_start')`
}

/** Builds SQL for the events in the period with which operators reported the start of a stay. */
const operatorStartsSql = (
  { place: { regionId, timezone }, days }: FeeRequest,
  operators: readonly string[],
): Sql => {
  const { from, until } = getSpanOfDays(days, timezone)
  return sql`
    select
      event_id,
      operator_name
    from ${latest('curb_events')}
    where region_id = ${bind('String', regionId)}
      and event_type = 'park_start'
      and superseded = 0
      and event_time >= ${toDateTime(from)}
      and event_time < ${toDateTime(until)}
      and operator_name in ${bindTexts(operators)}`
}

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
function removeDuplicates(rows: readonly StayRow[]): StayRow[] {
  const getKey = (row: StayRow): string => (row.vehicle ? `${row.vehicle} ${row.zone_id}` : row.session_id)
  const rowsByKey = groupBy(rows, getKey)
  const getRank = ({ source_kind: kind }: StayRow): number => sourcesByReliability.indexOf(kind)
  const doOverlap = (a: StayRow, b: StayRow): boolean =>
    Number(a.start_ms) < Number(b.end_ms ?? Infinity) && Number(b.start_ms) < Number(a.end_ms ?? Infinity)
  return rows.filter((row) => {
    const candidates = rowsByKey.get(getKey(row)) ?? []
    return !candidates.some((other) => getRank(other) < getRank(row) && doOverlap(other, row))
  })
}

/** Returns the label of a zone, or its id if it is unknown. */
export const getZoneName = (index: CurbIndex, zoneId: string): string =>
  index.findZone(zoneId)?.label ?? zoneId

/** Returns the name of the rule with an index, or else the name of its policy, or else the policy's id. */
export function getPolicyName(index: CurbIndex, policyId: string, rule = 0): string {
  const policy = index.policies.get(policyId)
  const name = policy?.rules[rule]?.name ?? policy?.['name']
  return typeof name === 'string' && name ? name : policyId
}
