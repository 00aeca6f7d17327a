/** A longer distance of a trip is impossible. */
export const impossibleMeters = 300_000
/** A higher average speed of a trip is impossible: 100 km/h. */
export const impossibleMetersPerSecond = 100_000 / 3600
