/** Of everybody in the fixture city. */
export const fixturePassword = 'a long enough password'
/** What is guessed in its place. */
export const fixtureGuess = 'wrong wrong wrong'
