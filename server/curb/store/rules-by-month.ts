import { createHash } from 'node:crypto'
import { type LocalDay, localDay } from '#contract/period.ts'
import type { CurbIndex } from './curb-index.ts'

/** Of indexes that were read last. */
const monthsOf = new WeakMap<CurbIndex, Record<string, string>>()

/** Hashes of what begins, ends or is designated in each month: the rules of a day depend on its month and those before. */
export function rulesByMonth(index: CurbIndex, timezone: string): Record<string, string> {
  const known = monthsOf.get(index)
  if (known) return known
  const changes = new Map<string, string[]>()
  const add = (month: string, text: string): void => {
    const list = changes.get(month)
    if (list) list.push(text)
    else changes.set(month, [text])
  }
  const monthOf = (ms: number): string => localDay(new Date(ms), timezone).slice(0, 7)
  for (const { id, from, to } of index.zones) {
    add(monthOf(from), `${id} begins ${from}`)
    if (to !== null) add(monthOf(to), `${id} ends ${to}`)
    for (const part of index.historyOf(id)) {
      add(monthOf(part.from), `${id} ${part.from} ${part.policyIds.toSorted().join(' ')}`)
      if (part.to !== null) add(monthOf(part.to), `${id} until ${part.to}`)
    }
  }
  for (const [name, days] of Object.entries(index.settings.designatedPeriods))
    for (const day of days) add(day.slice(0, 7), `${name} ${day}`)
  const months = Object.fromEntries(
    [...changes]
      .toSorted()
      .map(([month, texts]) => [
        month,
        createHash('sha256').update(texts.toSorted().join('\n')).digest('base64url').slice(0, 16),
      ]),
  )
  monthsOf.set(index, months)
  return months
}

/** The first day with different rules in two texts of `rulesByMonth`; all days if anything else differs. */
export function firstDifference(one: string, other: string): LocalDay {
  const [before, after] = [one, other].map((text) => JSON.parse(text) as Record<string, unknown>)
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])
  const different = [...names].filter((name) => before?.[name] !== after?.[name]).toSorted()
  const [first] = different
  return first !== undefined && different.every((name) => /^\d{4}-\d\d$/.test(name))
    ? `${first}-01`
    : '1970-01-01'
}
