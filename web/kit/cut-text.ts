export const tagLength = 20

const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** The first characters of a text that is longer, and a sign that it goes on. */
export function cutText(text: string, longest: number = tagLength): string {
  const all = [...characters.segment(text)]
  return all.length <= longest
    ? text
    : `${all
        .slice(0, longest)
        .map(({ segment }) => segment)
        .join('')
        .trimEnd()}…`
}
