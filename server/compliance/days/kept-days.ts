import { createHash } from 'node:crypto'
import { complianceMethodVersion } from '#contract/compliance.ts'
import { dayFromNumber, type LocalDay } from '#contract/period.ts'
import type { Region } from '#contract/regions.ts'
import { dayAfter, dayStart } from '#server/health/local-hours.ts'
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
  const utcDay = (at: number): number => Math.floor(at / dayMs)
  const spans = windows.map(({ day, from, until }) => ({
    day,
    first: utcDay(Math.min(from, dayStart(day, timezone))) - before,
    last: utcDay(Math.max(until, dayStart(dayAfter(day), timezone)) - 1) + reach,
  }))
  if (!spans.length) return new Map()
  const [first, last] = [
    Math.min(...spans.map((span) => span.first)),
    Math.max(...spans.map((span) => span.last)),
  ]
  const rows = await state
    .as(scope)
    .selectFrom('fact_day')
    .select(['day', 'noted'])
    .where('region_id', '=', regionId)
    .where('day', '>=', dayFromNumber(first))
    .where('day', '<=', dayFromNumber(last))
    .execute()
  const noted = new Map(rows.map((row) => [row.day, BigInt(row.noted)]))
  return new Map(
    spans.map((span) => {
      let sum = BigInt(complianceMethodVersion) + whose(rule)
      for (let day = span.first; day <= span.last; day++) sum += noted.get(dayFromNumber(day)) ?? 0n
      return [span.day, sum]
    }),
  )
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
