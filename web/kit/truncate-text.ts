export const maxTagLength = 20

const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** Truncates a text to a number of characters (graphemes) and appends an ellipsis. */
export function truncateText(text: string, maxLength: number = maxTagLength): string {
  const segments = [...characters.segment(text)]
  return segments.length <= maxLength
    ? text
    : `${segments
        .slice(0, maxLength)
        .map(({ segment }) => segment)
        .join('')
        .trimEnd()}…`
}
