import { schema } from './001-schema.ts'

/** In order; each statement can be run again, so that a migration cut off goes on. */
export const clickhouseMigrations: readonly { name: string; statements: readonly string[] }[] = [schema]
