import type * as contract from '#contract/compliance.ts'
import type { ComplianceFact } from '#contract/compliance.ts'
import type { EndpointOutput } from '#contract/endpoint.ts'
import type { Region } from '#contract/regions.ts'
import { Problem } from '#server/http/problem.ts'
import type { Call } from '#server/http/route.ts'
import { canSeeSingleTrips } from '#server/http/viewer.ts'
import { regionScope } from '#server/identity/scope.ts'
import { findRetainedRow } from '#server/policies/find-policy.ts'
import { findRegion } from '#server/regions/read-region.ts'
import { bind, latest, type Sql, sql } from '#server/stores/sql.ts'
import { createBorderTest } from './border.ts'
import type { DayRule } from './day-rule.ts'
import { makeDayWindows } from './day-windows.ts'
import { checkDays, type Compliance } from './find-records.ts'
import { makeMeasureInput } from './measure-days.ts'
import { findMeasureType } from './measures/list.ts'
import { visitShapeEntries, type ShapeEntry } from './measures/ridden.ts'
import { createQueryOptions, type MeasureInput } from './measure-input.ts'
import { findPolicyRevisions, makeDraftRule, makeRevisionRules } from './policy-rules.ts'
import { findRuleFacts } from './rules/rule-facts.ts'

type FactsCall = Call<typeof contract.listComplianceFacts>

/** Whether the facts of a rule reveal single trips. */
const listsTrips = ({ measure, rules }: DayRule): boolean =>
  findMeasureType(measure).listsTrips === true || rules.some(({ kind }) => kind === 'speed')

interface FactRow {
  /** The numbers of the day's window and of the shape, from 1. Shape 0 is the region. */
  w: number
  shape: number
  operator: string
  device_id: string
  vehicle_type: ComplianceFact['vehicle_type']
  fact_id: string
  trip_id: string
  /** Ms as text; `ends` is 0 for a fact without duration. */
  begins: string
  ends: string
  lon: number | null
  lat: number | null
  accuracy: number | null
  value: number | null
  /** 1 if the fact breaks the rule, otherwise 0. */
  breaks: number
  /** Set for violations of imported rules. Their kind, name and border differ from those of the measure. */
  ofRule?: { kind: ComplianceFact['kind']; name: string; isNear: boolean }
}

const noTripId = '00000000-0000-0000-0000-000000000000'

/** Finds the rules of a draft, or of all revisions of a stored policy, the newest first. */
async function findRules(
  { state }: Compliance,
  region: Region,
  { viewer, body: { policy, policy_uuid: id }, at }: Pick<FactsCall, 'viewer' | 'body' | 'at'>,
): Promise<DayRule[]> {
  if (policy) {
    const rule = await makeDraftRule(state, viewer.scope, region, policy)
    return rule ? [rule] : []
  }
  const row = await findRetainedRow(state, viewer.scope, id ?? '')
  if (row.region_id !== region.regionId)
    throw new Problem('not_found', 'policy_uuid: There is no such policy in this region.')
  const fullScope = regionScope(region.organizationId, region.regionId)
  const revisions = await findPolicyRevisions(state, fullScope, {
    regionId: region.regionId,
    constantId: row.constant_policy_id,
    at,
  })
  const rules = await makeRevisionRules(state, fullScope, revisions)
  return rules.map(({ rule }) => rule).toReversed()
}

/** Returns a page of the vehicles that violated rules of an imported policy. */
async function listRuleViolations(
  input: MeasureInput,
  selectedShapes: readonly number[] | null,
  skip: number,
  limit: number,
): Promise<RulePage> {
  const violations = (await findRuleFacts(input)).filter(
    ({ shape }) => !selectedShapes || selectedShapes.includes(shape),
  )
  const rows = violations
    .slice(skip, skip + limit)
    .map(({ day, operator, shape, name, value, isNear, breach }): FactRow => ({
      w: day + 1,
      shape,
      operator,
      device_id: breach.deviceId,
      vehicle_type: breach.vehicleType as FactRow['vehicle_type'],
      fact_id: `${breach.factId}-${breach.rule + 1}-${input.windows[day]?.day ?? ''}`,
      trip_id: breach.tripId ?? noTripId,
      begins: String(breach.at),
      ends: String(breach.until),
      lon: breach.lon,
      lat: breach.lat,
      accuracy: Number.isNaN(breach.accuracy) ? null : breach.accuracy,
      value,
      breaks: 1,
      ofRule: { kind: breach.tripId === null ? 'interval' : 'segment', name, isNear },
    }))
  return { total: violations.length, rows, kind: 'interval' }
}

/** A page of the facts of a rule, their total number, and the kind of all of them. */
interface RulePage {
  total: number
  rows: FactRow[]
  kind: ComplianceFact['kind']
}

/** Returns a page of the trips of a rule about trips through shapes, newest first. */
async function listTripsThroughShapes(
  input: MeasureInput,
  selectedShapes: readonly number[] | null,
  skip: number,
  limit: number,
): Promise<RulePage> {
  const entries: ShapeEntry[] = []
  await visitShapeEntries(input, true, (entry) => {
    if (!selectedShapes || selectedShapes.includes(entry.shape)) entries.push(entry)
  })
  entries.sort((a, b) => b.atMs - a.atMs || (a.trip.trip_id < b.trip.trip_id ? -1 : 1))
  const rows = entries
    .slice(skip, skip + limit)
    .map(({ trip: { operator, trip_id, device_id, vehicle_type }, day, shape, atMs, lon, lat }): FactRow => ({
      w: day + 1,
      shape,
      operator,
      device_id,
      vehicle_type: vehicle_type as FactRow['vehicle_type'],
      fact_id: trip_id,
      trip_id,
      begins: String(atMs),
      ends: '0',
      lon,
      lat,
      accuracy: null,
      value: null,
      breaks: 1,
    }))
  return { total: entries.length, rows, kind: 'trip' }
}

/** Builds SQL for a page of facts, newest first. */
const factPageSql = (facts: Sql, skip: number, limit: number): Sql => sql`
  select
    w,
    shape,
    operator,
    toString(device_id) as device_id,
    vehicle_type,
    toString(fact_id) as fact_id,
    toString(trip_id) as trip_id,
    begins,
    ends,
    lon,
    lat,
    if(isFinite(accuracy), toNullable(accuracy), null) as accuracy,
    if(isFinite(value), toNullable(value), null) as value,
    breaks
  from (${facts})
  order by begins desc, operator, fact_id, shape
  limit ${bind('UInt32', limit)} offset ${bind('UInt32', skip)}`

/** Returns a page of the facts of one rule, newest first. With a `limit` of 0, only counts them. */
async function listRuleFacts(
  input: MeasureInput,
  { shape_uuids: shapes, only_violations: onlyViolations }: FactsCall['body'],
  skip: number,
  limit: number,
): Promise<RulePage> {
  const { facts, scope, rule, signal } = input
  const selectedShapes = shapes.length
    ? rule.shapes.flatMap(({ shapeId }, shape) => (shapeId && shapes.includes(shapeId) ? [shape + 1] : []))
    : null
  if (rule.measure.kind === 'rules') return listRuleViolations(input, selectedShapes, skip, limit)
  const type = findMeasureType(rule.measure)
  const query = await type.facts?.(input)
  if (!query) return listTripsThroughShapes(input, selectedShapes, skip, limit)
  const queryOptions = createQueryOptions(signal)
  const matchingFacts = sql`
    select *
    from (${query.rows})
    where ${onlyViolations && type.hasBreakingFacts ? sql`breaks` : sql`true`}
      and ${selectedShapes ? sql`shape in ${bind('Array(UInt32)', selectedShapes)}` : sql`true`}`
  const [count] = await facts.rows<{ total: string }>(
    scope,
    sql`select count() as total from (${matchingFacts})`,
    queryOptions,
  )
  const total = Number(count?.total ?? 0)
  const rows =
    limit > 0 && total > skip
      ? await facts.rows<FactRow>(scope, factPageSql(matchingFacts, skip, limit), queryOptions)
      : []
  return { total, rows, kind: query.kind }
}

/** Finds the ids that operators use for vehicles, by device id. */
async function findVehicleIds(
  { facts, scope, filter }: MeasureInput,
  devices: readonly string[],
): Promise<Map<string, string>> {
  if (!devices.length) return new Map()
  const rows = await facts.rows<{ device_id: string; vehicle_id: string }>(
    scope,
    sql`
      select toString(device_id) as device_id, vehicle_id
      from ${latest('vehicles')}
      where region_id = ${bind('String', filter.regionId)}
        and toString(device_id) in ${bind('Array(String)', [...new Set(devices)])}`,
  )
  return new Map(rows.map(({ device_id: device, vehicle_id: vehicleId }) => [device, vehicleId]))
}

/** Converts a row to a fact of the response. */
function toComplianceFact(
  { rule, windows }: MeasureInput,
  row: FactRow,
  {
    kind,
    vehicleId,
    isNear,
    countsUncertain,
  }: { kind: ComplianceFact['kind']; vehicleId: string; isNear: boolean; countsUncertain: boolean },
): ComplianceFact {
  const { ofRule } = row
  const shape = row.shape > 0 ? rule.shapes[row.shape - 1] : undefined
  // A share is violated by the fleet, not by single vehicles.
  const breaksRule = row.breaks > 0 && rule.measure.kind !== 'parked_share'
  return {
    kind: ofRule?.kind ?? kind,
    fact_id: row.fact_id,
    date: windows[row.w - 1]?.day ?? '',
    operator: row.operator,
    shape_uuid: shape?.shapeId ?? null,
    shape_name: ofRule?.name ?? shape?.name ?? '',
    device_id: row.device_id,
    vehicle_id: vehicleId,
    vehicle_type: row.vehicle_type,
    from_time: new Date(Number(row.begins)).toISOString(),
    until_time: Number(row.ends) > 0 ? new Date(Number(row.ends)).toISOString() : null,
    lon: row.lon ?? 0,
    lat: row.lat ?? 0,
    trip_id: row.trip_id === noTripId ? null : row.trip_id,
    value: row.value,
    accuracy: row.accuracy,
    is_violation: breaksRule && (!isNear || countsUncertain),
    is_uncertain: breaksRule && isNear,
  }
}

/**
 * Lists the facts from which compliance is computed, those of the newest revision first. Single trips are
 * visible to users who may edit policies, and to operators for their own vehicles (docs/metrics.md: personal
 * movement only for those with permission).
 */
export async function listComplianceFacts(
  compliance: Compliance,
  { viewer, params, body, at, signal }: FactsCall,
): Promise<EndpointOutput<typeof contract.listComplianceFacts>> {
  checkDays(body.start_date, body.end_date)
  const region = await findRegion(compliance.state, viewer.scope, params.region_id)
  const rules = await findRules(compliance, region, { viewer, body, at })
  if (rules.some(listsTrips) && !canSeeSingleTrips(viewer))
    throw new Problem('forbidden', `Single trips are visible only to users who may edit policies.`)
  const items: ComplianceFact[] = []
  let total = 0
  // The page within the facts of all revisions.
  const from = (body.page - 1) * body.size
  const until = body.page * body.size
  for (const rule of rules) {
    const windows = makeDayWindows(rule, body.start_date, body.end_date, region.timezone)
    const operators = body.operators.filter(
      (slug) => !rule.policy.operators.length || rule.policy.operators.includes(slug),
    )
    const isNeverInForce = windows.every(({ emptyReason }) => emptyReason !== null)
    if (isNeverInForce || (body.operators.length && !operators.length)) continue
    const input = await makeMeasureInput(compliance, {
      scope: viewer.scope,
      region,
      rule,
      windows,
      operators,
      now: at.getTime(),
      ...(signal ? { signal } : {}),
    })
    const skip = Math.max(0, from - total)
    const limit = Math.max(0, until - Math.max(from, total))
    const { total: ruleTotal, rows, kind } = await listRuleFacts(input, body, skip, limit)
    total += ruleTotal
    const vehicleIds = await findVehicleIds(
      input,
      rows.map(({ device_id: device }) => device),
    )
    const isNearBorder = createBorderTest(rule)
    for (const row of rows) {
      const { shape, lon, lat, accuracy } = row
      const isUncertain =
        accuracy !== null &&
        accuracy > 0 &&
        lon !== null &&
        lat !== null &&
        isNearBorder(shape, lon, lat, accuracy)
      items.push(
        toComplianceFact(input, row, {
          kind,
          vehicleId: vehicleIds.get(row.device_id) ?? '',
          isNear: row.ofRule?.isNear ?? isUncertain,
          countsUncertain: region.countsUncertain,
        }),
      )
    }
  }
  return { items, total, page: body.page, size: body.size }
}
