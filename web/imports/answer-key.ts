import type { ImportRequirement } from '#contract/imports.ts'

/** The key of the text what to do about a waiting file, for one question or several. */
export const answerKey = (asks: readonly ImportRequirement[]): string =>
  `imports:answer.${asks.length === 1 ? asks[0] : 'several'}`
