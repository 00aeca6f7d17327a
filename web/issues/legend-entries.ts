import type { TFunction } from 'i18next'
import type { IssuePoints, IssueType } from '#contract/issues.ts'
import type { Scheme } from '#web/kit/theme.ts'
import { statusColors, typeColors } from './issue-colors.ts'
import { typeText } from './issue-text.ts'
import type { Coloring } from './issues-search.ts'

/** A colour of the map, what it means, and how many issues have it. */
export interface LegendEntry {
  key: string
  label: string
  color: string
  count: number
}

const sum = (types: readonly IssueType[], of: (type: IssueType) => number): number =>
  types.reduce((all, type) => all + of(type), 0)

/** The colours of points with the numbers of all that match; together they are the total. `known`: all types of the region, the most frequent first. */
export function legendEntries(
  t: TFunction,
  { types }: Pick<IssuePoints, 'types'>,
  known: readonly IssueType[],
  by: Coloring,
  scheme: Scheme,
): LegendEntry[] {
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
        ? [{ key: type.service_code, label: typeText(type), color: own.get(type.service_code)!, count }]
        : []
    })
  const rest = types.filter(({ service_code }) => !own.has(service_code))
  return [
    ...named,
    ...(rest.length > 0
      ? [
          {
            key: ' others',
            label: t('issues:legend.others', { count: rest.length }),
            color: others,
            count: sum(rest, ({ open, closed }) => open + closed),
          },
        ]
      : []),
  ]
}

/** The same rows with the numbers of fewer issues, such as those of a day: none comes or goes while a map plays. */
export function countedAnew(entries: readonly LegendEntry[], now: readonly LegendEntry[]): LegendEntry[] {
  const counts = new Map(now.map(({ key, count }) => [key, count]))
  return entries.map((entry) => ({ ...entry, count: counts.get(entry.key) ?? 0 }))
}
