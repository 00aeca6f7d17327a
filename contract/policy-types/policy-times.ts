/** The end of the day reads as midnight on screen: 23:59:59 is shown as 00:00:00. Null, no limit, is midnight as well. */
export const displayEndTime = (time: string | null): string =>
  time === null || time === '23:59:59' ? '00:00:00' : time
export const displayStartTime = (time: string | null): string => time ?? '00:00:00'

/** Midnight is sent as null: at the start the day begins there, at the end it ends there. */
export const sentStartTime = (time: string | null): string | null => (time === '00:00:00' ? null : time)
export const sentEndTime = (time: string | null): string | null =>
  time === null || time === '00:00:00' || time === '23:59:59' ? null : time

/** Whether the time window runs over midnight: its start is later than its end. Until midnight itself is not overnight. */
export const isOvernight = (start: string | null, end: string | null): boolean =>
  sentEndTime(end) !== null && (start ?? '00:00:00') > (end ?? '')

/** The end date is forced up to the start date if it falls before it (1-product, section 4). */
export const endDateFrom = (start: string | null, end: string | null): string | null =>
  start !== null && end !== null && end < start ? start : end
