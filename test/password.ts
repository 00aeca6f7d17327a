/** Of everybody in the fixture city. */
export const fixturePassword = 'a long enough password'
