/**
 * Current time in milliseconds since 1970. Components call this instead of Date.now so that tests can mock
 * it.
 */
export const now = (): number => Date.now()
