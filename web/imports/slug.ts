/** Returns the slug for an operator's name, at most 60 characters: `Bird Rides` becomes `bird-rides`. */
export const toSlug = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, '-')
    .replace(/^[-_]+/, '')
    .slice(0, 60)
