import { localDay, type LocalDay } from '#contract/period.ts'
import type { Region } from '#contract/regions.ts'

export const getToday = ({ timezone }: Pick<Region, 'timezone'>, at: Date): LocalDay => localDay(at, timezone)
