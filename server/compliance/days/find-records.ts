import { type ComplianceRecord, maxComplianceDays, maxComplianceRecords } from '#contract/compliance.ts'
import { dayNumber, localDay, type LocalDay } from '#contract/period.ts'
import type { Region } from '#contract/regions.ts'
import type { LayerMembership } from '#server/geography/membership/layer-membership.ts'
import type { HealthRegion } from '#server/health/health-region.ts'
import type { DayCounts } from '#server/health/day-counts.ts'
import { Problem } from '#server/http/problem.ts'
import { regionScope } from '#server/identity/scope.ts'
import { openFrom, removedBefore } from '#server/regions/fact-limits.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { byTrips, type DayRule } from './day-rule.ts'
import { type DayWindow, dayWindows } from './day-windows.ts'
import { type FedDays, fedDays } from './fed-days.ts'
import { judgeDays } from './judge-days.ts'
import { factVersions, findStoredDays, type StoredDay, storeDays } from './stored-days.ts'
import { measureDays, type MeasuredDay } from './measure-days.ts'

/** What compliance records are computed from. */
export interface Compliance {
  state: State
  facts: Facts
  membership: LayerMembership
  health: DayCounts
}

/** Local days, both included, and operators. */
export interface DaysQuery {
  first: LocalDay
  last: LocalDay
  /** Empty: all. */
  operators: readonly string[]
  /** Stored days that were measured since then (ms) are accepted though facts changed; without it, none are. */
  acceptedFrom?: number
}

/** Days per query, so that what is read stays bounded. */
const daysPerQuery = 31

export function checkDays(first: LocalDay, last: LocalDay): void {
  if (last < first) throw new Problem('validation_error', 'end_date: It is before start_date.')
  if (dayNumber(last) - dayNumber(first) >= maxComplianceDays)
    throw new Problem('validation_error', `end_date: At most ${maxComplianceDays} days at once.`)
}

/** Operators with records: those that the policy names or, without any, those with data; limited to the requested and visible ones. */
export const operatorsOf = (
  { policy, measure }: DayRule,
  fed: FedDays,
  requested: readonly string[],
  viewer: Scope,
): string[] =>
  (policy.operators.length
    ? policy.operators.toSorted()
    : byTrips({ measure })
      ? fed.riders
      : fed.operators
  ).filter(
    (slug) => (!requested.length || requested.includes(slug)) && (viewer.operators?.includes(slug) ?? true),
  )

const healthRegionOf = (
  { regionId, timezone, lostAfterHours }: Region,
  organizationId: string,
): HealthRegion => ({
  regionId,
  organizationId,
  timezone,
  lostAfterHours,
  scope: regionScope(organizationId, regionId),
})

/** The completeness of feeds, for rules of a region over some days. */
export const fedDaysOf = (
  { health, facts }: Compliance,
  region: Region,
  rules: readonly DayRule[],
  { first, last, acceptedFrom }: DaysQuery,
  now: number,
): Promise<FedDays> =>
  fedDays(
    health,
    facts,
    healthRegionOf(region, region.organizationId),
    first,
    last,
    rules.some(byTrips),
    now,
    acceptedFrom === undefined ? undefined : now - acceptedFrom,
  )

/**
 * Measures days of a rule for all operators, whoever the viewer is; the result is narrowed afterward. Past days of a published revision
 * are stored. Days with facts that were removed before they were measured are `removed`. Days that have not begun, or on which the rule is not in force, cost nothing.
 */
async function measured(
  compliance: Compliance,
  region: Region,
  rule: DayRule,
  windows: readonly DayWindow[],
  { acceptedFrom }: DaysQuery,
  now: number,
  signal?: AbortSignal,
): Promise<{ days: MeasuredDay[]; removed: ReadonlySet<LocalDay>; asOf: number }> {
  const scope = regionScope(region.organizationId, region.regionId)
  const open = openFrom(await removedBefore(compliance.state, scope, region.regionId), [
    'trips',
    'events',
    'telemetry',
  ])
  const versions =
    rule.policyId === null
      ? null
      : await factVersions(compliance.state, scope, region.regionId, rule, windows, region)
  const stored =
    rule.policyId !== null && versions
      ? await findStoredDays(compliance.state.as(scope), rule.policyId, versions, acceptedFrom)
      : new Map<LocalDay, StoredDay>()
  const removed = new Set(
    windows.flatMap(({ day }) => (open !== null && day < open && !stored.has(day) ? [day] : [])),
  )
  const found: MeasuredDay[] = []
  let asOf = now
  for (let at = 0; at < windows.length; at += daysPerQuery) {
    const part = windows.slice(at, at + daysPerQuery)
    // Stored days in between are measured again too: the days of one query are contiguous.
    const missing = part.map(({ day, none }) => none === null && !stored.has(day) && !removed.has(day))
    const [from, to] = [missing.indexOf(true), missing.lastIndexOf(true)]
    const fresh =
      from === -1
        ? []
        : await measureDays(compliance, scope, region, rule, part.slice(from, to + 1), [], now, signal)
    if (rule.policyId !== null && versions && fresh.length)
      await storeDays(
        compliance.state.as(scope),
        region.regionId,
        rule.policyId,
        part.slice(from, to + 1),
        fresh,
        versions,
        now,
      )
    for (const [index, { day }] of part.entries()) {
      const measured = fresh[index - from]
      const old = measured ? undefined : stored.get(day)
      if (old && !old.isCurrent) asOf = Math.min(asOf, old.measuredAt)
      found.push(measured ?? old?.measured ?? { day, figures: [], present: null })
    }
  }
  return { days: found, removed, asOf }
}

/** Records of compliance, and how old the oldest of their figures are (ms). */
export interface FoundRecords {
  records: ComplianceRecord[]
  asOf: number
}

/** The records of one rule over days. */
export async function recordsOfRule(
  compliance: Compliance,
  viewer: Scope,
  region: Region,
  rule: DayRule,
  daysQuery: DaysQuery,
  fed: FedDays,
  now: number,
  signal?: AbortSignal,
): Promise<FoundRecords> {
  const windows = dayWindows(rule, daysQuery.first, daysQuery.last, region.timezone)
  const operators = operatorsOf(rule, fed, daysQuery.operators, viewer)
  if (
    windows.length * operators.length * (rule.places === 'each' ? rule.shapes.length : 1) >
    maxComplianceRecords
  )
    throw new Problem(
      'validation_error',
      `end_date: More than ${maxComplianceRecords} records. Choose fewer days or operators.`,
    )
  const { days, removed, asOf } = await measured(compliance, region, rule, windows, daysQuery, now, signal)
  const records = judgeDays(
    { rule, regionName: region.text, fed, operators, countsUncertain: region.countsUncertain, now },
    windows.map((window) =>
      window.none === null && removed.has(window.day) ? { ...window, none: 'no_feed' } : window,
    ),
    days,
  )
  return { records, asOf }
}

/** A day without a revision in force has one record; other days only records of revisions in force. */
const outOfForce = (records: readonly ComplianceRecord[]): boolean =>
  records.every(({ reason_code: code }) => code === 'not_in_force')

/**
 * The records of a policy through its revisions, in order of day. If two revisions share a day, each has a record for its part.
 * @param rules Of one policy, oldest first.
 */
export async function recordsOfPolicy(
  compliance: Compliance,
  viewer: Scope,
  region: Region,
  rules: readonly DayRule[],
  daysQuery: DaysQuery,
  fed: FedDays,
  now: number,
  signal?: AbortSignal,
): Promise<FoundRecords> {
  let asOf = now
  const byDay = new Map<LocalDay, ComplianceRecord[][]>()
  for (const rule of rules) {
    const own = new Map<LocalDay, ComplianceRecord[]>()
    const found = await recordsOfRule(compliance, viewer, region, rule, daysQuery, fed, now, signal)
    asOf = Math.min(asOf, found.asOf)
    for (const record of found.records) {
      const there = own.get(record.date)
      if (there) there.push(record)
      else own.set(record.date, [record])
    }
    for (const [day, records] of own) byDay.set(day, [...(byDay.get(day) ?? []), records])
  }
  const records = [...byDay]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, revisions]) => {
      const held = revisions.filter((records) => !outOfForce(records))
      return held.length ? held.flat() : (revisions.at(-1) ?? [])
    })
  return { records, asOf }
}

/** The current local day. */
export const todayIn = (region: Pick<Region, 'timezone'>, at: Date): LocalDay => localDay(at, region.timezone)
