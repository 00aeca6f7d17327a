import type { StandardRole } from '#server/identity/standard-roles.ts'

/** Users of the demo city. Its data is fictional, so the passwords are public. */
export const signIns: readonly { email: string; password: string; role: StandardRole }[] = [
  { email: 'admin@portmeridian.example', password: 'meridian-admin', role: 'administrator' },
  { email: 'planner@portmeridian.example', password: 'meridian-planner', role: 'planner' },
  { email: 'viewer@portmeridian.example', password: 'meridian-viewer', role: 'viewer' },
]

/** A user of an operator who sees and disputes its invoices. */
export const operatorSignIn = {
  email: 'billing@zephyr.example',
  password: 'meridian-zephyr',
  role: 'operator',
  operators: ['zephyr'],
} as const

/** All users, as listed on the sign-in page. */
export const shownSignIns: readonly { email: string; password: string; role: string }[] = [
  ...signIns,
  operatorSignIn,
]
