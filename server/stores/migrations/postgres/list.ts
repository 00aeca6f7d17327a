import { start } from './001-start.ts'
import { geography } from './002-geography.ts'
import { imports } from './003-imports.ts'
import { identity } from './004-identity.ts'

/** In order; all new ones run in one transaction at start. */
export const postgresMigrations: readonly { name: string; sql: string }[] = [start, geography, imports, identity]
