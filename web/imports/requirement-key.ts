import type { ImportRequirement } from '#contract/imports.ts'

/** Text key of what a waiting file needs: that of the single requirement, or a general one. */
export const requirementKey = (asks: readonly ImportRequirement[]): string =>
  `imports:answer.${asks.length === 1 ? asks[0] : 'several'}`
