import type { IssueStatus, IssueType } from '#contract/issues.ts'
import { dataColors, type Scheme } from '#web/kit/theme.ts'

/** Returns the colors of open and closed issues. */
export const getStatusColors = (scheme: Scheme): Record<IssueStatus, string> => ({
  open: dataColors[scheme].categorical[1]!,
  closed: dataColors[scheme].categorical[0]!,
})

/**
 * Assigns colors to types. The most frequent ones have their `own` by service code; all `others` share the last
 * color. Pass all types of the region, so that filters do not change colors.
 */
export function assignTypeColors(
  types: readonly Pick<IssueType, 'service_code'>[],
  scheme: Scheme,
): { own: ReadonlyMap<string, string>; others: string } {
  const { categorical } = dataColors[scheme]
  const coloredTypes = types.length <= categorical.length ? types : types.slice(0, categorical.length - 1)
  return {
    own: new Map(coloredTypes.map(({ service_code }, index) => [service_code, categorical[index]!])),
    others: categorical.at(-1)!,
  }
}
