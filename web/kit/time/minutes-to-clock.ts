import { minutesOfDay, type TimeOfDay } from './time-of-day.ts'

/** The time that is so many minutes after the day's start; 1440 is 24:00. */
export function minutesToClock(minutes: number): TimeOfDay {
  if (!(minutes >= 0 && minutes <= minutesOfDay))
    throw new RangeError(`Minutes must be between 0 and ${minutesOfDay}`)
  return { hour: Math.floor(minutes / 60), minute: Math.floor(minutes % 60) }
}
