import { type CurbState, curbStates } from '#contract/curb-rules.ts'
import { curbColors, type Scheme } from '#web/kit/theme.ts'

export const getCurbColor = (state: CurbState, scheme: Scheme): string => curbColors[scheme][state]

/** Returns the colors in the order of `curbStates`, whose indexes are the bins of the map. */
export const getCurbPalette = (scheme: Scheme): string[] =>
  curbStates.map((state) => curbColors[scheme][state])
