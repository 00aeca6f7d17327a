/** A vehicle farther than this from its parking place has moved: a new parking event begins. */
export const movedMeters = 100
