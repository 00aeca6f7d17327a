import type { IssueStatus, IssueType } from '#contract/issues.ts'
import { dataColors, type Scheme } from '#web/kit/theme.ts'

/** Returns the colors of open and closed issues. */
export const statusColors = (scheme: Scheme): Record<IssueStatus, string> => ({
  open: dataColors[scheme].categorical[1]!,
  closed: dataColors[scheme].categorical[0]!,
})

/** Colors of types by service code: the most frequent have their own, all others the last, despite filters. */
export function typeColors(
  types: readonly Pick<IssueType, 'service_code'>[],
  scheme: Scheme,
): { own: ReadonlyMap<string, string>; others: string } {
  const { categorical } = dataColors[scheme]
  const named = types.length <= categorical.length ? types : types.slice(0, categorical.length - 1)
  return {
    own: new Map(named.map(({ service_code }, index) => [service_code, categorical[index]!])),
    others: categorical.at(-1)!,
  }
}
