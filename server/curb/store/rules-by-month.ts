import { createHash } from 'node:crypto'
import { appendTo } from '#contract/group-by.ts'
import { type LocalDay, localDay } from '#contract/period.ts'
import type { CurbIndex } from './curb-index.ts'

/** Characters of a hash, 96 bits. */
const hashLength = 16
const hashesByIndex = new WeakMap<CurbIndex, Record<string, string>>()

/** Returns a hash by month of zones and policies that begin or end in it, and of its designated days. */
export function hashRulesByMonth(index: CurbIndex, timezone: string): Record<string, string> {
  const cached = hashesByIndex.get(index)
  if (cached) return cached
  const changes = new Map<string, string[]>()
  const toMonth = (ms: number): string => localDay(new Date(ms), timezone).slice(0, 7)
  for (const { id, from, to } of index.zones) {
    appendTo(changes, toMonth(from), `${id} begins ${from}`)
    if (to !== null) appendTo(changes, toMonth(to), `${id} ends ${to}`)
    for (const term of index.getPolicyHistory(id)) {
      appendTo(changes, toMonth(term.from), `${id} ${term.from} ${term.policyIds.toSorted().join(' ')}`)
      if (term.to !== null) appendTo(changes, toMonth(term.to), `${id} until ${term.to}`)
    }
  }
  for (const [name, days] of Object.entries(index.settings.designatedPeriods))
    for (const day of days) appendTo(changes, day.slice(0, 7), `${name} ${day}`)
  const months = Object.fromEntries(
    [...changes]
      .toSorted()
      .map(([month, texts]) => [
        month,
        createHash('sha256').update(texts.toSorted().join('\n')).digest('base64url').slice(0, hashLength),
      ]),
  )
  hashesByIndex.set(index, months)
  return months
}

/** Returns the first day that differs between JSON texts of `hashRulesByMonth`; else 1970-01-01. */
export function findFirstDifference(earlier: string, later: string): LocalDay {
  const earlierHashes = JSON.parse(earlier) as Record<string, unknown>
  const laterHashes = JSON.parse(later) as Record<string, unknown>
  const names = new Set([...Object.keys(earlierHashes), ...Object.keys(laterHashes)])
  const changedNames = [...names].filter((name) => earlierHashes[name] !== laterHashes[name]).toSorted()
  const [firstName] = changedNames
  const areMonths = changedNames.every((name) => /^\d{4}-\d\d$/.test(name))
  return firstName !== undefined && areMonths ? `${firstName}-01` : '1970-01-01'
}
