/** A sign beside the colour of each state of an hour. */
export const hourSigns = { data: '', quiet: '·', gap: '!', ahead: '', none: '–' } as const
