export const periodPresets = ['this_month', 'last_month', 'this_quarter', 'last_quarter'] as const
/** A period that moves with today. */
export type PeriodPreset = (typeof periodPresets)[number]
