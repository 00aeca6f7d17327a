/** Returns the end time for display: end of the day (23:59:59) and no limit (null) become midnight. */
export const displayEndTime = (time: string | null): string =>
  time === null || time === '23:59:59' ? '00:00:00' : time
/** Returns the start time for display: no limit (null) is shown as midnight. */
export const displayStartTime = (time: string | null): string => time ?? '00:00:00'

/** Returns the start time for saving: midnight is stored as null. */
export const sentStartTime = (time: string | null): string | null => (time === '00:00:00' ? null : time)
/** Returns the end time for saving: the end of the day is stored as null. */
export const sentEndTime = (time: string | null): string | null =>
  time === null || time === '00:00:00' || time === '23:59:59' ? null : time

/** Returns whether the time window runs past midnight. A window that ends at midnight does not. */
export const isOvernight = (start: string | null, end: string | null): boolean =>
  sentEndTime(end) !== null && (start ?? '00:00:00') > (end ?? '')

/** Returns the end date for saving: an end before the start is moved to the start. */
export const endDateFrom = (start: string | null, end: string | null): string | null =>
  start !== null && end !== null && end < start ? start : end
