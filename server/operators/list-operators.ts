import type { Operator } from '#contract/operators.ts'
import { unknownOperatorText } from '#contract/operators.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, facts, sql } from '#server/stores/sql.ts'
import type { State } from '#server/stores/state.ts'

const colors = ['#3366CC', '#D9731A', '#7A3E9D', '#B0A000', '#C2366B', '#2B8C4F', '#6B5B4B', '#4A90A4']

const nameOf = (slug: string): string => (slug === 'unknown' ? unknownOperatorText : slug.split(/[-_]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' '))

/** Operators that have trips or vehicles, with their names and colours; one that nobody named goes by its slug. */
export async function listOperators(state: State, store: Facts, scope: Scope, ask: { region_id?: string | undefined; orderBy: string; page: number; size: number }) {
  const where = ask.region_id ? sql`where region_id = ${bind('String', ask.region_id)}` : sql``
  // A fleet that stands on the street has no trip yet: it is shown by its name all the same.
  const rows = await store.rows<{ operator: string }>(scope, sql`select distinct operator from (select operator from ${facts('trips')} ${where} union all select operator from ${facts('vehicles')} ${where}) order by operator`)
  const named = await state.as(scope).selectFrom('operator').selectAll().execute()
  const all: Operator[] = rows.map(({ operator: slug }, index) => {
    const known = named.find((each) => each.slug === slug)
    return { slug, name: known?.name ?? nameOf(slug), colorHex: known?.color_hex ?? colors[index % colors.length] ?? '#44546A' }
  })
  all.sort((a, b) => a.name.localeCompare(b.name) * (ask.orderBy === '-name' ? -1 : 1))
  return { items: all.slice((ask.page - 1) * ask.size, ask.page * ask.size), total: all.length, page: ask.page, size: ask.size }
}
