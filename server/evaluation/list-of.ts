/** A list that travels as text with commas. */
export const listOf = (text: string | undefined): string[] =>
  text
    ? text
        .split(',')
        .map((each) => each.trim())
        .filter(Boolean)
    : []
