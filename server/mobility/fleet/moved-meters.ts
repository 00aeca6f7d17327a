/** A vehicle seen so many metres from where it rested has moved, whatever its feed tells: a new rest begins. */
export const movedMeters = 100
