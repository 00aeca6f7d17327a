/** Metres beyond which a trip's distance is impossible: a day at 100 km/h is 2,400 km; no such trip is shorter than its flag says. */
export const impossibleMetres = 300_000
/** 100 km/h on average. */
export const impossibleMetresPerSecond = 100_000 / 3600
