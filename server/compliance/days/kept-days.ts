import { createHash } from 'node:crypto'
import { complianceMethodVersion } from '#contract/compliance.ts'
import type { LocalDay } from '#contract/period.ts'
import type { Region } from '#contract/regions.ts'
import { dayAfter, dayStart } from '#server/health/local-hours.ts'
import { countFactChanges } from '#server/mobility/fact-days.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import type { DayRule } from './day-rule.ts'
import type { DayWindow } from './day-windows.ts'
import type { MeasuredDay } from './measure-days.ts'
import { longestRest } from './measures/parking.ts'
import { ruleReach } from './rules/day-mds-rules.ts'

const dayMs = 86_400_000

/** Whole UTC days after a window whose facts it may depend on: for time limits the time that a rest has to break them. */
const reachOf = (rule: DayRule): number =>
  rule.measure.kind === 'parked_longer' ? Math.ceil(Math.min(longestRest(rule), 366 * dayMs) / dayMs) : 0

/** The like before it: dwell clocks of rules are known from there on. */
const reachBefore = (rule: DayRule, lostAfterHours: number): number =>
  rule.measure.kind === 'rules' ? Math.ceil(ruleReach(rule.rules, lostAfterHours * 3_600_000) / dayMs) : 0

/** Which operators an imported policy means is not said by its revision: it follows from their provider ids as they are now. */
const whose = ({ measure, policy }: DayRule): bigint =>
  measure.kind === 'rules' && policy.operators.length
    ? BigInt(
        `0x${createHash('sha256').update(JSON.stringify(policy.operators.toSorted())).digest('hex').slice(0, 12)}`,
      )
    : 0n

/** How often the facts that each local day depends on were derived anew: it changes with any of them. What a change leaves as it was is not noted. */
export async function notesOf(
  state: State,
  scope: Scope,
  regionId: string,
  rule: DayRule,
  windows: readonly DayWindow[],
  { timezone, lostAfterHours }: Pick<Region, 'timezone' | 'lostAfterHours'>,
): Promise<Map<LocalDay, bigint>> {
  const [before, reach] = [reachBefore(rule, lostAfterHours), reachOf(rule)]
  const sums = await countFactChanges(
    state,
    scope,
    regionId,
    windows.map(({ day, from, until }) => ({
      from: Math.min(from, dayStart(day, timezone)) - before * dayMs,
      until: Math.max(until, dayStart(dayAfter(day), timezone)) + reach * dayMs,
    })),
  )
  const version = BigInt(complianceMethodVersion) + whose(rule)
  return new Map(windows.map(({ day }, at) => [day, version + (sums[at] ?? 0n)]))
}

/** What is kept of a revision's days and still holds. */
export async function findKept(
  state: State,
  scope: Scope,
  policyId: string,
  notes: ReadonlyMap<LocalDay, bigint>,
): Promise<Map<LocalDay, MeasuredDay>> {
  const days = [...notes.keys()]
  if (!days.length) return new Map()
  const rows = await state
    .as(scope)
    .selectFrom('compliance_day')
    .select(['day', 'noted', 'body'])
    .where('policy_id', '=', policyId)
    .where('day', '>=', days[0] as string)
    .where('day', '<=', days.at(-1) as string)
    .execute()
  return new Map(
    rows
      .filter(({ day, noted }) => notes.get(day) === BigInt(noted))
      .map(({ day, body }) => [day, body as MeasuredDay]),
  )
}

/** Keeps the days that are over and of which nothing may change by itself. */
export async function keepDays(
  state: State,
  scope: Scope,
  regionId: string,
  policyId: string,
  windows: readonly DayWindow[],
  measured: readonly MeasuredDay[],
  notes: ReadonlyMap<LocalDay, bigint>,
  now: number,
): Promise<void> {
  const values = measured.flatMap((body, at) => {
    const noted = notes.get(body.day)
    const window = windows[at]
    const isOver = window !== undefined && window.until <= now && !body.figures.some(({ open }) => open)
    return isOver && noted !== undefined
      ? [
          {
            region_id: regionId,
            policy_id: policyId,
            day: body.day,
            noted: String(noted),
            body: JSON.stringify(body),
          },
        ]
      : []
  })
  // A year of a large city is long: some days at once.
  for (let at = 0; at < values.length; at += 50)
    await state
      .as(scope)
      .insertInto('compliance_day')
      .values(values.slice(at, at + 50))
      .onConflict((there) =>
        there
          .columns(['policy_id', 'day'])
          .doUpdateSet((row) => ({ noted: row.ref('excluded.noted'), body: row.ref('excluded.body') })),
      )
      .execute()
}
