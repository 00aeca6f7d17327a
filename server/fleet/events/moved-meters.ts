/**
 * A vehicle farther than this from its parking place has moved, whatever its feed reports: a new parking
 * event begins.
 */
export const movedMeters = 100
