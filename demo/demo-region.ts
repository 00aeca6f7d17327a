/** The demo city's region, and the seed that all of it is made of. */
export const demoRegionId = 'port-meridian'
export const demoSeed = 4870
