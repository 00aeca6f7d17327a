/** The demo city's region, and the seed of its trips, fleets, weather and 311 issues. */
export const demoRegionId = 'port-meridian'
export const demoSeed = 4870
