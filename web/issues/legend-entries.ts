import type { TFunction } from 'i18next'
import type { IssueType } from '#contract/issues.ts'
import type { Scheme } from '#web/kit/theme.ts'
import { statusColors, typeColors } from './issue-colors.ts'
import { getTypeName } from './issue-text.ts'
import type { Coloring } from './issues-search.ts'

/** A color of the map, its meaning, and its number of issues. */
export interface LegendEntry {
  key: string
  label: string
  color: string
  count: number
}

const sum = (types: readonly IssueType[], count: (type: IssueType) => number): number =>
  types.reduce((total, type) => total + count(type), 0)

interface LegendContext {
  /** The types of the matching issues, with their numbers. */
  types: readonly IssueType[]
  /** All types of the region, most frequent first. */
  known: readonly IssueType[]
  by: Coloring
  scheme: Scheme
}

/** The colors of points with the numbers of all matching issues, which add up to the total. */
export function legendEntries(t: TFunction, { types, known, by, scheme }: LegendContext): LegendEntry[] {
  if (by === 'status') {
    const colors = statusColors(scheme)
    return (['open', 'closed'] as const)
      .map((status) => ({
        key: status,
        label: t(`issues:status.${status}`),
        color: colors[status],
        count: sum(types, (type) => type[status]),
      }))
      .filter(({ count }) => count > 0)
  }
  const { own, others } = typeColors(known, scheme)
  const named = known
    .filter(({ service_code }) => own.has(service_code))
    .flatMap((type): LegendEntry[] => {
      const count = sum(
        types.filter(({ service_code }) => service_code === type.service_code),
        ({ open, closed }) => open + closed,
      )
      return count > 0
        ? [{ key: type.service_code, label: getTypeName(type), color: own.get(type.service_code)!, count }]
        : []
    })
  const otherTypes = types.filter(({ service_code }) => !own.has(service_code))
  return [
    ...named,
    ...(otherTypes.length > 0
      ? [
          {
            key: ' others',
            label: t('issues:legend.others', { count: otherTypes.length }),
            color: others,
            count: sum(otherTypes, ({ open, closed }) => open + closed),
          },
        ]
      : []),
  ]
}

/**
 * The same rows with the numbers of fewer issues, such as those of a day: rows stay constant during a
 * playback.
 */
export function recountEntries(entries: readonly LegendEntry[], now: readonly LegendEntry[]): LegendEntry[] {
  const counts = new Map(now.map(({ key, count }) => [key, count]))
  return entries.map((entry) => ({ ...entry, count: counts.get(entry.key) ?? 0 }))
}
