/** Returns an operator's name as a slug: `Bird Rides` -> `bird-rides`. */
export const toSlug = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, '-')
    .replace(/^[-_]+/, '')
    .slice(0, 60)
