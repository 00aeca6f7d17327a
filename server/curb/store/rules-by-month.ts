import { createHash } from 'node:crypto'
import { appendTo } from '#contract/group-by.ts'
import { type LocalDay, localDay } from '#contract/period.ts'
import type { CurbIndex } from './curb-index.ts'

const hashesByIndex = new WeakMap<CurbIndex, Record<string, string>>()

/**
 * Returns a hash for each month of the zones and policies that begin or end in it, and of its designated
 * days. The rules of a day depend on its month and the months before.
 */
export function groupRulesByMonth(index: CurbIndex, timezone: string): Record<string, string> {
  const cached = hashesByIndex.get(index)
  if (cached) return cached
  const changes = new Map<string, string[]>()
  const toMonth = (ms: number): string => localDay(new Date(ms), timezone).slice(0, 7)
  for (const { id, from, to } of index.zones) {
    appendTo(changes, toMonth(from), `${id} begins ${from}`)
    if (to !== null) appendTo(changes, toMonth(to), `${id} ends ${to}`)
    for (const part of index.policyHistory(id)) {
      appendTo(changes, toMonth(part.from), `${id} ${part.from} ${part.policyIds.toSorted().join(' ')}`)
      if (part.to !== null) appendTo(changes, toMonth(part.to), `${id} until ${part.to}`)
    }
  }
  for (const [name, days] of Object.entries(index.settings.designatedPeriods))
    for (const day of days) appendTo(changes, day.slice(0, 7), `${name} ${day}`)
  const months = Object.fromEntries(
    [...changes]
      .toSorted()
      .map(([month, texts]) => [
        month,
        createHash('sha256').update(texts.toSorted().join('\n')).digest('base64url').slice(0, 16),
      ]),
  )
  hashesByIndex.set(index, months)
  return months
}

/**
 * Returns the first day with rules that differ between two JSON texts that contain the result of
 * `groupRulesByMonth`. 1970-01-01 if anything else in them differs.
 */
export function findFirstDifference(earlier: string, later: string): LocalDay {
  const [before, after] = [earlier, later].map((text) => JSON.parse(text) as Record<string, unknown>)
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])
  const different = [...names].filter((name) => before?.[name] !== after?.[name]).toSorted()
  const [first] = different
  return first !== undefined && different.every((name) => /^\d{4}-\d\d$/.test(name))
    ? `${first}-01`
    : '1970-01-01'
}
