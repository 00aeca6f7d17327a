/** Breakpoints of the layouts. Media queries in CSS name them `$phone`, `$small` and `$desktop`. */
export const breakpoints = { phone: '600px', small: '768px', desktop: '1000px' } as const

export const phoneQuery = `(max-width: ${breakpoints.phone})`
export const smallScreenQuery = `(max-width: ${breakpoints.small})`
