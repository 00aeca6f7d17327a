import type { ImportRequirement } from '#contract/imports.ts'

/** Key of the text for what a waiting file needs: one answer or several. */
export const answerKey = (asks: readonly ImportRequirement[]): string =>
  `imports:answer.${asks.length === 1 ? asks[0] : 'several'}`
