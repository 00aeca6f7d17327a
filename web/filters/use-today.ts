import { type LocalDay, localDay } from '#contract/period.ts'
import { useOpenedAt } from '#web/data/clock.ts'

/** Returns the local day on which a component was mounted. */
export const useToday = (timezone: string): LocalDay => localDay(new Date(useOpenedAt()), timezone)
