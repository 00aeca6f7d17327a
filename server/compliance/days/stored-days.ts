import { createHash } from 'node:crypto'
import { complianceMethodVersion } from '#contract/compliance.ts'
import { dayMs, hourMs, type LocalDay } from '#contract/period.ts'
import type { Region } from '#contract/regions.ts'
import { getDayEnd, getDayStart } from '#server/regions/local-hours.ts'
import { countFactChanges } from '#server/fleet/fact-changes.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State, Store } from '#server/stores/state.ts'
import type { DayRule } from './day-rule.ts'
import type { DayWindow } from './day-windows.ts'
import type { MeasuredDay } from './measure-days.ts'
import { getMaxParkingMs } from './measures/parking.ts'
import type { DayFigure } from './measure-input.ts'
import { getRuleHistoryMs } from './rules/day-mds-rules.ts'

/** Number of days stored by one statement, because a year of a large city is large. */
const daysPerInsert = 50
/** Upper bound of `getLaterMs`. */
const maxLaterMs = 366 * dayMs

/** Returns the time (ms) after a window in which facts change its result: until time limits are reached. */
const getLaterMs = (rule: DayRule): number =>
  rule.measure.kind === 'parked_longer' ? Math.min(getMaxParkingMs(rule), maxLaterMs) : 0

/** Returns how long before a window facts affect its result, ms: for rules, from when dwell times start. */
const getEarlierMs = (rule: DayRule, lostAfterHours: number): number =>
  rule.measure.kind === 'rules' ? getRuleHistoryMs(rule.rules, lostAfterHours * hourMs) : 0

/** Returns a hash of an imported policy's operators, because they depend on current provider ids. */
const hashOperators = ({ measure, policy }: DayRule): bigint =>
  measure.kind === 'rules' && policy.operators.length
    ? BigInt(
        `0x${createHash('sha256').update(JSON.stringify(policy.operators.toSorted())).digest('hex').slice(0, 12)}`,
      )
    : 0n

/** The version of a local day's result: how it is measured, and the number of changes of its facts. */
export interface DayVersion {
  basis: bigint
  factChanges: bigint
}

/** Reads the versions of local days. `factChanges` grows whenever any of a day's facts change. */
export async function readFactVersions(
  state: State,
  scope: Scope,
  {
    regionId,
    rule,
    windows,
    region: { timezone, lostAfterHours },
  }: {
    regionId: string
    rule: DayRule
    windows: readonly DayWindow[]
    region: Pick<Region, 'timezone' | 'lostAfterHours'>
  },
): Promise<Map<LocalDay, DayVersion>> {
  const earlierMs = getEarlierMs(rule, lostAfterHours)
  const laterMs = getLaterMs(rule)
  const sums = await countFactChanges(
    state,
    scope,
    regionId,
    windows.map(({ day, from, until }) => ({
      from: Math.min(from, getDayStart(day, timezone)) - earlierMs,
      until: Math.max(until, getDayEnd(day, timezone)) + laterMs,
    })),
  )
  const basis = BigInt(complianceMethodVersion) + hashOperators(rule)
  return new Map(windows.map(({ day }, index) => [day, { basis, factChanges: sums[index] ?? 0n }]))
}

/** A stored day, with the time at which it was measured (ms). */
export interface StoredDay {
  measured: MeasuredDay
  measuredAt: number
  /** Whether nothing it depends on has changed since. */
  isCurrent: boolean
}

/** The stored form of a day, in which `shape` is called `ground` for compatibility with older rows. */
type StoredBody = Omit<MeasuredDay, 'figures'> & {
  figures: readonly (Omit<DayFigure, 'day' | 'shape'> & { ground: number })[]
}
const toBody = ({ figures, ...day }: MeasuredDay): StoredBody => ({
  ...day,
  figures: figures.map(({ shape: ground, ...figure }) => ({ ...figure, ground })),
})
const fromBody = ({ figures, ...day }: StoredBody): MeasuredDay => ({
  ...day,
  figures: figures.map(({ ground: shape, ...figure }) => ({ ...figure, shape })),
})

const hasOpenEvents = ({ figures }: StoredBody): boolean => figures.some(({ open }) => open)

/**
 * Finds the stored days of a revision that are up to date. With `acceptedFrom` (ms), days of which nothing
 * but facts changed are also returned if they were measured at that time or later.
 */
export async function findStoredDays(
  store: Store,
  policyId: string,
  versions: ReadonlyMap<LocalDay, DayVersion>,
  acceptedFrom = Infinity,
): Promise<Map<LocalDay, StoredDay>> {
  const days = [...versions.keys()]
  if (!days.length) return new Map()
  const rows = await store
    .selectFrom('compliance_day')
    .select(['day', 'version', 'fact_changes', 'measured_time', 'body'])
    .where('policy_id', '=', policyId)
    .where('day', '>=', days[0] as string)
    .where('day', '<=', days.at(-1) as string)
    .execute()
  return new Map(
    rows.flatMap((row) => {
      const currentVersion = versions.get(row.day)
      const version = BigInt(row.version)
      const changes = BigInt(row.fact_changes)
      const body = row.body as StoredBody
      const measuredAt = row.measured_time.getTime()
      if (!currentVersion) return []
      const { basis, factChanges } = currentVersion
      const isCurrent = version === basis + factChanges && !hasOpenEvents(body)
      const hasSameBasis = version - changes === basis
      const isAccepted = hasSameBasis && measuredAt >= acceptedFrom
      return isCurrent || isAccepted ? [[row.day, { measured: fromBody(body), measuredAt, isCurrent }]] : []
    }),
  )
}

/** Stores days that have ended. Those with open parking events are never current: they change with time. */
export async function storeDays(
  store: Store,
  {
    regionId,
    policyId,
    windows,
    measured,
    versions,
    now,
  }: {
    regionId: string
    policyId: string
    windows: readonly DayWindow[]
    measured: readonly MeasuredDay[]
    versions: ReadonlyMap<LocalDay, DayVersion>
    now: number
  },
): Promise<void> {
  const values = measured.flatMap((body, index) => {
    const version = versions.get(body.day)
    const window = windows[index]
    return window !== undefined && window.until <= now && version !== undefined
      ? [
          {
            region_id: regionId,
            policy_id: policyId,
            day: body.day,
            version: String(version.basis + version.factChanges),
            fact_changes: String(version.factChanges),
            measured_time: new Date(now),
            body: JSON.stringify(toBody(body)),
          },
        ]
      : []
  })
  for (let start = 0; start < values.length; start += daysPerInsert)
    await store
      .insertInto('compliance_day')
      .values(values.slice(start, start + daysPerInsert))
      .onConflict((conflict) =>
        conflict.columns(['policy_id', 'day']).doUpdateSet(({ ref }) => ({
          version: ref('excluded.version'),
          fact_changes: ref('excluded.fact_changes'),
          measured_time: ref('excluded.measured_time'),
          body: ref('excluded.body'),
        })),
      )
      .execute()
}
