/** A time of the local day: hour 0 to 24, minute 0 to 60. 24:00 is the end of the day. */
export interface TimeOfDay {
  hour: number
  minute: number
}

export const minutesOfDay = 1440
