/** Metres from typed texts: 0 to 5,000, each once, ascending; what is no number is left out. */
export const buffersOf = (texts: readonly string[]): number[] =>
  [...new Set(texts.filter((text) => text.trim() !== '').map(Number))]
    .filter((metres) => metres >= 0 && metres <= 5000)
    .sort((a, b) => a - b)
