import type { ImportRequirement } from '#contract/ingest.ts'

/** The text of what to do about a file that waits: its one question, or several at once. */
export const answerKey = (asks: readonly ImportRequirement[]): string =>
  `ingest:answer.${asks.length === 1 ? asks[0] : 'several'}`
