import { createHash } from 'node:crypto'
import { complianceMethodVersion } from '#contract/compliance.ts'
import type { LocalDay } from '#contract/period.ts'
import type { Region } from '#contract/regions.ts'
import { dayAfter, dayStart } from '#server/health/local-hours.ts'
import { countFactChanges } from '#server/fleet/fact-changes.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State, Store } from '#server/stores/state.ts'
import type { DayRule } from './day-rule.ts'
import type { DayWindow } from './day-windows.ts'
import type { MeasuredDay } from './measure-days.ts'
import { maxParkingMs } from './measures/parking.ts'
import type { DayFigure } from './measuring.ts'
import { ruleReach } from './rules/day-mds-rules.ts'

const maxAfterMs = 366 * 86_400_000

/** Time after a window on which its result may depend: for time limits, until a parking event exceeds the limit. */
const msAfter = (rule: DayRule): number =>
  rule.measure.kind === 'parked_longer' ? Math.min(maxParkingMs(rule), maxAfterMs) : 0

/** Time before a window on which its result depends: the dwell clocks of rules start there. */
const msBefore = (rule: DayRule, lostAfterHours: number): number =>
  rule.measure.kind === 'rules' ? ruleReach(rule.rules, lostAfterHours * 3_600_000) : 0

/** A hash of the operators of an imported policy: they follow from provider ids as they are now, not from the revision. */
const operatorsVersion = ({ measure, policy }: DayRule): bigint =>
  measure.kind === 'rules' && policy.operators.length
    ? BigInt(
        `0x${createHash('sha256').update(JSON.stringify(policy.operators.toSorted())).digest('hex').slice(0, 12)}`,
      )
    : 0n

/** What the result of a local day depends on: how it is measured, and the number of changes of its facts. */
export interface DayVersion {
  basis: bigint
  factChanges: bigint
}

/** The version of each local day. The changes of its facts grow whenever any of them change. */
export async function factVersions(
  state: State,
  scope: Scope,
  regionId: string,
  rule: DayRule,
  windows: readonly DayWindow[],
  { timezone, lostAfterHours }: Pick<Region, 'timezone' | 'lostAfterHours'>,
): Promise<Map<LocalDay, DayVersion>> {
  const [before, after] = [msBefore(rule, lostAfterHours), msAfter(rule)]
  const sums = await countFactChanges(
    state,
    scope,
    regionId,
    windows.map(({ day, from, until }) => ({
      from: Math.min(from, dayStart(day, timezone)) - before,
      until: Math.max(until, dayStart(dayAfter(day), timezone)) + after,
    })),
  )
  const basis = BigInt(complianceMethodVersion) + operatorsVersion(rule)
  return new Map(windows.map(({ day }, at) => [day, { basis, factChanges: sums[at] ?? 0n }]))
}

/** A stored day, and when it was measured (ms). */
export interface StoredDay {
  measured: MeasuredDay
  measuredAt: number
  /** Whether nothing has changed since. */
  isCurrent: boolean
}

/** A day as it is stored: `shape` of its figures is called `ground`. */
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

const hasOpen = ({ figures }: StoredBody): boolean => figures.some(({ open }) => open)

/**
 * The stored days of a revision that are up to date, and with `acceptedFrom` (ms) also those of which nothing but facts changed, if they were
 * measured then or later.
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
      const wanted = versions.get(row.day)
      const [version, changes] = [BigInt(row.version), BigInt(row.fact_changes)]
      const [body, measuredAt] = [row.body as StoredBody, row.measured_time.getTime()]
      if (!wanted) return []
      const isCurrent = version === wanted.basis + wanted.factChanges && !hasOpen(body)
      const isAccepted = version - changes === wanted.basis && measuredAt >= acceptedFrom
      return isCurrent || isAccepted ? [[row.day, { measured: fromBody(body), measuredAt, isCurrent }]] : []
    }),
  )
}

/** Stores the days that are over. With an open parking event they may change by the passing of time: they are never up to date for long. */
export async function storeDays(
  store: Store,
  regionId: string,
  policyId: string,
  windows: readonly DayWindow[],
  measured: readonly MeasuredDay[],
  versions: ReadonlyMap<LocalDay, DayVersion>,
  now: number,
): Promise<void> {
  const values = measured.flatMap((body, at) => {
    const version = versions.get(body.day)
    const window = windows[at]
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
  // A year of a large city is large, so days are stored in batches.
  for (let at = 0; at < values.length; at += 50)
    await store
      .insertInto('compliance_day')
      .values(values.slice(at, at + 50))
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
