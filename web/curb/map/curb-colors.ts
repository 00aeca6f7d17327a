import { type CurbState, curbStates } from '#contract/curb-rules.ts'
import { curbColors, type Scheme } from '#web/kit/theme.ts'

export const curbColor = (state: CurbState, scheme: Scheme): string => curbColors[scheme][state]

/** Colors in the order of `curbStates`, which are the bins of the map. */
export const curbPalette = (scheme: Scheme): string[] => curbStates.map((state) => curbColors[scheme][state])
