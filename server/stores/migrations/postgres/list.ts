import { schema } from './001-schema.ts'

/** In order. Missing ones run in one transaction at start. */
export const postgresMigrations: readonly { name: string; sql: string }[] = [schema]
