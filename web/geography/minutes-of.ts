/** Whole minutes from typed texts: 1 to a year's, each once, ascending; what is no number is left out. */
export const minutesOf = (texts: readonly string[]): number[] =>
  [...new Set(texts.filter((text) => text.trim() !== '').map(Number))]
    .filter((minutes) => Number.isInteger(minutes) && minutes >= 1 && minutes <= 525_600)
    .sort((a, b) => a - b)
