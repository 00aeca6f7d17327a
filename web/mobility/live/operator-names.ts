import { type Operator, unknownOperatorText } from '#contract/operators.ts'

/** What an operator is called: as it is named, else by its slug. */
export function operatorName(slug: string, known: readonly Operator[]): string {
  const named = known.find((each) => each.slug === slug)?.name
  if (named) return named
  if (slug === 'unknown') return unknownOperatorText
  return slug.split(/[-_]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ')
}
