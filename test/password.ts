/** Password of all users of the fixture city. */
export const fixturePassword = 'a long enough password'
/** A wrong password for guesses. */
export const fixtureGuess = 'wrong wrong wrong'
