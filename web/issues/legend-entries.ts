import type { TFunction } from 'i18next'
import type { IssueType } from '#contract/issues.ts'
import type { Scheme } from '#web/kit/theme.ts'
import { getStatusColors, assignTypeColors } from './issue-colors.ts'
import { getTypeName } from './issue-text.ts'
import type { Coloring } from './issues-search.ts'

/** A color of the map, its meaning, and the number of its issues. */
export interface LegendEntry {
  key: string
  label: string
  color: string
  count: number
}

const sumCounts = (types: readonly IssueType[], getCount: (type: IssueType) => number): number =>
  types.reduce((total, type) => total + getCount(type), 0)
const getIssueCount = ({ open, closed }: IssueType): number => open + closed

/** Cannot equal a service code, which has no leading space. */
const othersKey = ' others'

interface LegendContext {
  /** Types of the issues that match the filters, with their counts. */
  matchingTypes: readonly IssueType[]
  /** All types of the region, most frequent first. */
  regionTypes: readonly IssueType[]
  colorBy: Coloring
  scheme: Scheme
}

/** Lists the statuses or types that have issues; their counts add up to the number of matching issues. */
export function listLegendEntries(
  t: TFunction,
  { matchingTypes, regionTypes, colorBy, scheme }: LegendContext,
): LegendEntry[] {
  if (colorBy === 'status') {
    const colors = getStatusColors(scheme)
    return (['open', 'closed'] as const)
      .map((status) => ({
        key: status,
        label: t(`issues:status.${status}`),
        color: colors[status],
        count: sumCounts(matchingTypes, (type) => type[status]),
      }))
      .filter(({ count }) => count > 0)
  }
  const { own: colorByType, others: otherColor } = assignTypeColors(regionTypes, scheme)
  const ownEntries = regionTypes
    .filter(({ service_code }) => colorByType.has(service_code))
    .flatMap((type): LegendEntry[] => {
      const { service_code: key } = type
      const count = sumCounts(
        matchingTypes.filter(({ service_code }) => service_code === key),
        getIssueCount,
      )
      return count > 0 ? [{ key, label: getTypeName(type), color: colorByType.get(key)!, count }] : []
    })
  const otherTypes = matchingTypes.filter(({ service_code }) => !colorByType.has(service_code))
  return [
    ...ownEntries,
    ...(otherTypes.length > 0
      ? [
          {
            key: othersKey,
            label: t('issues:legend.others', { count: otherTypes.length }),
            color: otherColor,
            count: sumCounts(otherTypes, getIssueCount),
          },
        ]
      : []),
  ]
}

/** Returns `entries` with the counts of `counted`, 0 where it has none: a legend keeps its rows in playback. */
export function recountEntries(
  entries: readonly LegendEntry[],
  counted: readonly LegendEntry[],
): LegendEntry[] {
  const counts = new Map(counted.map(({ key, count }) => [key, count]))
  return entries.map((entry) => ({ ...entry, count: counts.get(entry.key) ?? 0 }))
}
