/** A list that travels as text with commas. */
export const listOf = (text: string | undefined): string[] => (text ? text.split(',').map((each) => each.trim()).filter(Boolean) : [])

/** ISO weekdays of such a list; what is none is passed over. */
export const weekdaysOf = (text: string | undefined): number[] => listOf(text).map(Number).filter((day) => Number.isInteger(day) && day >= 1 && day <= 7)
