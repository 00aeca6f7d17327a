import type { StandardRole } from '#server/identity/standard-roles.ts'

/** Who can sign in to the demo city. Its data is made up, so its passwords are no secret. */
export const signIns: readonly { email: string; password: string; role: StandardRole }[] = [
  { email: 'admin@portmeridian.example', password: 'meridian-admin', role: 'administrator' },
  { email: 'planner@portmeridian.example', password: 'meridian-planner', role: 'planner' },
  { email: 'viewer@portmeridian.example', password: 'meridian-viewer', role: 'viewer' },
]
