/** Widths of the layouts: small up to 768 px, desktop from 1000 px; CSS names them `$phone`, `$small` and `$desktop` in media queries. */
export const breakpoints = { phone: '600px', small: '768px', desktop: '1000px' } as const

export const phoneQuery = `(max-width: ${breakpoints.phone})`
export const smallScreenQuery = `(max-width: ${breakpoints.small})`
