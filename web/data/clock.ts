import { useState } from 'react'

/** Returns the time in ms since 1970. Components call it instead of Date.now, so that tests can mock it. */
export const now = (): number => Date.now()

/** The time at which a component was mounted, ms since 1970. It stays the same while a screen is open. */
export const useOpenedAt = (): number => useState(now)[0]
