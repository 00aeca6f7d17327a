/** Meters beyond which a trip's distance is impossible: a day at 100 km/h is 2,400 km. */
export const impossibleMeters = 300_000
/** 100 km/h on average. */
export const impossibleMetersPerSecond = 100_000 / 3600
