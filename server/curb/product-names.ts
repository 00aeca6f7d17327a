/** Curb sessions, a derived product. Its spans are stored batches of events. */
export const curbSessions = 'curb_sessions'
/** Sums of curb sessions by hour, a derived product. Its spans are local days. */
export const curbHours = 'curb_hours'
/** Occupancy by day, a derived product of the hourly sums. Its spans are local days. */
export const curbOccupancy = 'curb_occupancy'

/** Days are derived again only this long after they became dirty, as events always change today. */
export const settleCurbDaysMs = 180_000
