import type { TimeOfDay } from './time-of-day.ts'

const two = (value: number): string => String(value).padStart(2, '0')

/** `09:30`. An hour outside of 0 to 24 or a minute outside of 0 to 60 is a mistake of the caller: a RangeError. */
export function writeTime({ hour, minute }: TimeOfDay): string {
  if (!(hour >= 0 && hour <= 24)) throw new RangeError('Hour must be between 0 and 24')
  if (!(minute >= 0 && minute <= 60)) throw new RangeError('Minute must be between 0 and 60')
  return `${two(hour)}:${two(minute)}`
}
