export const maxTagLength = 20

const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** The first characters of a text that is longer, and a sign that it goes on. */
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
